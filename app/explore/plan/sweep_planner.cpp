// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>

#include <boost/uuid/name_generator_sha1.hpp>
#include <boost/uuid/uuid_io.hpp>
#include <fmt/format.h>

#include <tc/config/json_text.hpp>
#include <tc/config/parameter_path.hpp>
#include <tc/config/presets.hpp>

#include "point_builder.hpp"
#include "sweep_constraints.hpp"
#include "sweep_expression.hpp"
#include "sweep_metrics.hpp"
#include "sweep_plan.hpp"
#include "sweep_space.hpp"
#include "varied_runs.hpp"

namespace tcsim {

namespace {

using tc::config::hazard_policy;

/// Name-based UUID (RFC 4122) of all that decides what a run is and what is kept of it.
std::string key_of(const planned_run& run, const std::string& content_code) {
  std::string name = fmt::format("{}\n{}\n{}\n{}\n{}", run.configuration, run.kind, run.parameters, content_code,
                                 run.statistics == statistics_detail::full ? "full" : "summary");
  if (!run.code_configuration.empty()) name += '\n' + run.code_configuration;
  return to_string(boost::uuids::name_generator_sha1(boost::uuids::ns::oid())(name));
}

/// Keys of a row of a parameter list, in which `[]` and `[key]` stand for any element or entry.
std::vector<std::string> keys_of(std::string path) {
  for (auto at = path.find("[]"); at != std::string::npos; at = path.find("[]")) path.replace(at, 2, "[key]");
  return tc::config::split_path(path);
}

/// The row of a parameter; one without texts if the list does not have it.
tc::config::parameter_row row_of(const std::vector<tc::config::parameter_row>& rows, const std::vector<std::string>& keys) {
  const auto is_alike = [](const std::string& listed, const std::string& key) { return listed == "key" || listed == key; };
  for (const auto& row : rows) {
    const auto row_keys = keys_of(row.path);
    if (std::equal(row_keys.begin(), row_keys.end(), keys.begin(), keys.end(), is_alike)) return row;
  }
  return {};
}

class sweep_planner {
 public:
  sweep_planner(const sweep_file& file, bool fixed_code, repeat_plan repeats) : file_(file), builder_(file), repeats_(repeats) {
    plan_.fixed_code = fixed_code || file.fixed_code;
  }

  sweep_plan plan() {
    describe();
    if (plan_.fixed_code) fix_code();
    check_axis_effects(file_, builder_);
    choose_points();
    const auto groups = points_by_machine();
    decide_hazards(groups);
    for (const auto& members : groups) plan_machine(members);
    order_runs();
    return std::move(plan_);
  }

 private:
  /// A workload with values for its parameters.
  struct workload_variant {
    std::unique_ptr<workload> what;  ///< makes its code for the machine of `code_configuration`, if there is one
    std::string code_configuration;
    std::string parameters;
    std::string content_code;
  };

  void describe() {
    plan_.name = file_.name;
    plan_.description = file_.description;
    plan_.source = file_.text();
    plan_.statistics = file_.statistics;
    plan_.repeat = file_.repeat;
    check_repeat();
    plan_.base = builder_.machines().base_name();
    const tc::config::machine base = builder_.machines().make(0, {});
    plan_.base_configuration = sweep_machines::text_of(base);
    for (const axis_description& axis : file_.axes) plan_.axes.push_back(described(axis, base));
    plan_.metrics = sweep_metrics(file_);
    check_spread_columns();
    plan_.pareto = pareto_metrics(file_, plan_.metrics);
  }

  /// Repeated runs add columns of their own.
  void check_spread_columns() const {
    if (plan_.repeat == 1) return;
    std::vector<std::string> names;
    for (const metric& each : plan_.metrics)
      for (const std::string& column : {least_column(each.name), most_column(each.name)}) names.push_back(column);
    const auto check = [&](const std::string& name) {
      if (std::any_of(names.begin(), names.end(), [&](const std::string& other) { return is_same_column(other, name); }))
        throw file_.root().member("repeat").error(fmt::format("makes a column \"{}\", and so does a metric or an axis of this name", name));
    };
    for (const sweep_axis& axis : plan_.axes) check(axis.name);
    for (const metric& each : plan_.metrics) check(each.name);
  }

  void check_repeat() const {
    if (file_.repeat == 1) return;
    for (const axis_description& axis : file_.axes)
      if (axis.of == axis_description::target::machine && (axis.path == "jitter" || axis.path == "jitter.seed"))
        throw axis.place.error("varies jitter.seed, and so does `repeat`: leave one of the two out");
    const auto takes_time = [](const workload_description& each) { return workload_takes_time(each.kind); };
    if (std::any_of(file_.workloads.begin(), file_.workloads.end(), takes_time)) return;
    throw file_.root().member("repeat").error("no workload of this sweep takes time on a machine, which chance could change");
  }

  sweep_axis described(const axis_description& axis, const tc::config::machine& base) const {
    if (axis.of == axis_description::target::base) return {axis.name, "", "", "base configuration"};
    const bool is_of_workload = axis.of == axis_description::target::workload;
    const auto rows = is_of_workload ? builder_.parameters_of(axis) : sweep_machines::parameters_of(base);
    const auto row = row_of(rows, axis.keys());
    return {axis.name, (is_of_workload ? "workload." : "") + axis.path, row.unit, row.meaning};
  }

  /// The base machines, which code is made for.
  void fix_code() {
    const auto is_made = [](const workload_description& each) { return workload_makes_code(each.kind); };
    if (std::none_of(file_.workloads.begin(), file_.workloads.end(), is_made))
      throw file_.root()
          .find("fixed_code")
          .value_or(file_.root())
          .error("no workload of this sweep has code that is made for a machine, as gemm and conv have");
    for (std::size_t base = 0; base < builder_.machines().count(); ++base) {
      const auto machine = std::make_shared<const tc::config::machine>(builder_.machines().make(base, {}));
      sweep_machines::check(*machine, file_.assignments, file_.root().find("base").value_or(file_.root()));
      code_machines_.push_back(machine);
      code_configurations_.push_back(sweep_machines::text_of(*machine));
    }
  }

  /// The points that meet the constraints.
  void choose_points() {
    std::vector<chosen_point> all = all_points(file_);
    std::vector<std::string> axes;
    for (const axis_description& axis : file_.axes) axes.push_back(axis.name);
    std::vector<constrained_point> seen;
    if (!file_.constraints.empty())
      for (const chosen_point& point : all) seen.push_back({file_.workloads[point.workload].name, builder_.values_of(point)});
    const std::vector<bool> stays = meet_constraints(file_.constraints, file_.text(), axes, seen);
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (!stays.empty() && !stays[i]) continue;
      plan_.points.push_back({plan_.points.size(), builder_.values_of(all[i]), 0});
      chosen_.push_back(std::move(all[i]));
    }
    check_run_count();
  }

  /// Of repeated points. That of others is bounded by the number of points.
  void check_run_count() const {
    const auto varied = static_cast<std::size_t>(
        std::count_if(chosen_.begin(), chosen_.end(), [this](const chosen_point& point) { return varies(point); }));
    const std::size_t runs = varied * (std::size_t{plan_.repeat} + 1);
    if (plan_.repeat > 1 && runs > most_repeated_runs)
      throw file_.root().member("repeat").error(
          fmt::format("these are {} runs, {} of each of {} points; a sweep that repeats has at most {}", runs, plan_.repeat + 1, varied,
                      most_repeated_runs));
  }

  /// Indices of the points that have the same machine, so that only one machine is there at a time.
  std::vector<std::vector<std::size_t>> points_by_machine() const {
    std::map<axis_choice, std::size_t> indices;
    std::vector<std::vector<std::size_t>> groups;
    for (std::size_t i = 0; i < chosen_.size(); ++i) {
      const auto [found, is_new] = indices.emplace(builder_.machine_choice(chosen_[i].choice), groups.size());
      if (is_new) groups.emplace_back();
      groups[found->second].push_back(i);
    }
    return groups;
  }

  /// All points have one rule for hazards: silicon's if control codes fit each machine, or else the interlock, at those points too that
  /// could do without. Only a sweep file that says otherwise gets both.
  void decide_hazards(const std::vector<std::vector<std::size_t>>& groups) {
    if (std::none_of(file_.workloads.begin(), file_.workloads.end(), [](const auto& each) { return workload_takes_time(each.kind); }))
      return;
    bool any_silicon = false;
    for (const auto& members : groups) {
      const tc::config::machine machine = builder_.machine_of(builder_.machine_choice(chosen_[members.front()].choice));
      const hazard_policy policy = machine.sm.sub_core.issue.hazards;
      any_silicon = any_silicon || policy == hazard_policy::silicon;
      interlock_ = interlock_ || policy == hazard_policy::interlock ||
                   (policy == hazard_policy::automatic && !interlock_ && !tc::config::control_codes_fit(machine));
    }
    if (any_silicon && interlock_)
      plan_.hazards = "mixed";
    else
      plan_.hazards = interlock_ ? "interlock" : "silicon";
    plan_.base_configuration = configuration_of(builder_.machines().make(0, {}));
    for (std::size_t base = 0; base < code_machines_.size(); ++base) code_configurations_[base] = configuration_of(*code_machines_[base]);
  }

  /// With the rule of the sweep, where the machine says none.
  std::string configuration_of(tc::config::machine machine) const {
    hazard_policy& policy = machine.sm.sub_core.issue.hazards;
    if (interlock_ && policy == hazard_policy::automatic) policy = hazard_policy::interlock;
    return sweep_machines::text_of(machine);
  }

  void plan_machine(const std::vector<std::size_t>& points) {
    const axis_choice choice = builder_.machine_choice(chosen_[points.front()].choice);
    const tc::config::machine machine = builder_.machine_of(choice);
    builder_.check(machine, choice);
    const std::string plain = configuration_of(machine);
    const std::vector<std::string> varied = varied_texts_of(machine, points);
    for (const std::size_t point : points) {
      const std::size_t run = run_of(chosen_[point], &machine, plain);
      plan_.points[point].run = run;
      if (plan_.repeat == 1 || !varies(chosen_[point]) || !repeated_.insert(run).second) continue;
      if (repeats_ == repeat_plan::counted) plan_.counted_runs += plan_.repeat - (machine.jitter.seed == 0 ? 0 : 1);
      for (const std::string& configuration : varied) {
        const std::size_t index = run_of(chosen_[point], nullptr, configuration);
        repeats_of(run).push_back(index);
      }
    }
  }

  /// The machine as chance varies it, for each run of these points but the plain one; none if these are only counted.
  std::vector<std::string> varied_texts_of(tc::config::machine machine, const std::vector<std::size_t>& points) const {
    std::vector<std::string> texts;
    if (plan_.repeat == 1 || std::none_of(points.begin(), points.end(), [this](std::size_t point) { return varies(chosen_[point]); }))
      return texts;
    if (const std::string why = why_not_varied(machine, plan_.repeat); !why.empty()) throw file_.root().member("repeat").error(why);
    if (repeats_ == repeat_plan::counted) return texts;
    machine.jitter.seed = first_varied_seed(machine.jitter.seed);
    for (unsigned i = 0; i < plan_.repeat; ++i, ++machine.jitter.seed) texts.push_back(configuration_of(machine));
    return texts;
  }

  /// Whether chance has a part in what a point's workload gives.
  bool varies(const chosen_point& point) const { return workload_takes_time(file_.workloads[point.workload].kind); }

  std::vector<std::size_t>& repeats_of(std::size_t run) {
    if (run >= plan_.repeats.size()) plan_.repeats.resize(run + 1);
    return plan_.repeats[run];
  }

  /// Index of the run that a point asks for, or of a repeated one. `machine` is to be checked with the workload; null: it is one that only
  /// chance sets apart from a machine that was.
  std::size_t run_of(const chosen_point& point, const tc::config::machine* machine, const std::string& configuration) {
    const workload_description& described = file_.workloads[point.workload];
    const workload_variant& variant = variant_of(point);
    planned_run run{{}, described.name, described.kind, variant.parameters, configuration, file_.statistics, variant.code_configuration};
    if (run.code_configuration == configuration) run.code_configuration.clear();
    run.key = key_of(run, variant.content_code);
    const auto [found, is_new] = run_indices_.emplace(run.key, plan_.runs.size());
    if (is_new) {
      if (machine != nullptr) builder_.check(*variant.what, *machine, point);
      plan_.runs.push_back(std::move(run));
    } else if (const std::string& other = plan_.runs[found->second].workload; other != described.name) {
      throw described.place.error(fmt::format("does the same as the workload \"{}\"", other));
    }
    return found->second;
  }

  const workload_variant& variant_of(const chosen_point& point) {
    const std::size_t base = plan_.fixed_code ? builder_.base_of(point.choice) : 0;
    const auto [found, is_new] = variants_.try_emplace({point.workload, base, builder_.workload_choice(point.choice)});
    workload_variant& variant = found->second;
    if (is_new) {
      variant.what = builder_.workload_of(point);
      variant.parameters = tc::config::compact_text(variant.what->parameters());
      if (plan_.fixed_code && workload_makes_code(file_.workloads[point.workload].kind)) {
        variant.what->make_code_for(code_machines_[base]);
        variant.code_configuration = code_configurations_[base];
      }
      variant.content_code = builder_.content_code_of(*variant.what, point.workload);
    }
    return variant;
  }

  /// Puts the runs into the order of their first points, those that chance sets apart behind each other.
  void order_runs() {
    plan_.repeats.resize(plan_.runs.size());
    std::vector<planned_run> ordered;
    std::vector<std::vector<std::size_t>> repeats(plan_.runs.size());
    std::vector<std::size_t> place(plan_.runs.size(), plan_.runs.size());
    const auto place_of = [&](std::size_t run) {
      if (place[run] == plan_.runs.size()) {
        place[run] = ordered.size();
        ordered.push_back(std::move(plan_.runs[run]));
      }
      return place[run];
    };
    for (sweep_point& point : plan_.points) {
      const std::size_t run = std::exchange(point.run, place_of(point.run));
      if (!repeats[point.run].empty()) continue;
      for (const std::size_t varied : plan_.repeats[run]) repeats[point.run].push_back(place_of(varied));
    }
    plan_.runs = std::move(ordered);
    plan_.repeats = std::move(repeats);
  }

  const sweep_file& file_;
  point_builder builder_;
  repeat_plan repeats_;
  sweep_plan plan_;
  std::set<std::size_t> repeated_;    ///< plain runs whose varied ones are planned, or counted
  std::vector<chosen_point> chosen_;  ///< of the points of the plan
  bool interlock_ = false;            ///< at each point that does not say otherwise
  std::unordered_map<std::string, std::size_t> run_indices_;
  std::map<std::tuple<std::size_t, std::size_t, axis_choice>, workload_variant> variants_;  ///< by workload, base and choice
  std::vector<std::shared_ptr<const tc::config::machine>> code_machines_;                   ///< by base; empty: code is not fixed
  std::vector<std::string> code_configurations_;
};

}  // namespace

sweep_plan read_sweep(const std::filesystem::path& file, bool fixed_code, repeat_plan repeats) {
  const sweep_file read(file);
  return sweep_planner(read, fixed_code, repeats).plan();
}

}  // namespace tcsim
