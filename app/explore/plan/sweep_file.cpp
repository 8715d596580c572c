// SPDX-License-Identifier: Apache-2.0
#include "sweep_file.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include <fmt/format.h>

#include <tc/config/built_in_files.hpp>
#include <tc/config/spelling.hpp>

#include "input_files.hpp"
#include "sweep_expression.hpp"
#include "wording.hpp"
#include "workload.hpp"

namespace tcsim {

namespace {

constexpr std::string_view workload_prefix = "workload.";

axis_description read_axis(const file_value& axis) {
  axis.require_keys({"path", "name", "values", "range", "log_range", "bases", "workloads"});
  axis_description read{{}, axis_description::target::machine, {}, axis_values(axis), {}, axis};
  if (axis.has("bases")) {
    if (axis.has("path")) throw axis.member("path").error("an axis of base configurations has no path");
    read.of = axis_description::target::base;
    read.name = "base";
  } else {
    read.path = axis.member("path").string();
    if (read.path.compare(0, workload_prefix.size(), workload_prefix) == 0) {
      read.of = axis_description::target::workload;
      read.path.erase(0, workload_prefix.size());
    }
    read.name = read.keys().back();
  }
  if (const auto name = axis.find("name")) read.name = name->string();
  check_column_name(read.name, axis.find("name").value_or(axis));
  if (const auto names = axis.find("workloads")) {
    if (read.of != axis_description::target::workload)
      throw names->error("only an axis of a parameter of workloads (workload...) has these");
    read.workloads = names->strings();
    if (read.workloads.empty()) throw names->error("an axis has at least one workload");
  }
  return read;
}

/// What two axes must not have in common: the parameter.
std::string parameter_of(const axis_description& axis) {
  if (axis.of == axis_description::target::base) return "base configuration";
  const char* const kind = axis.of == axis_description::target::workload ? "workload " : "";
  return fmt::format("{}{}", kind, fmt::join(axis.keys(), "\n"));
}

}  // namespace

tc::config::parameter_override axis_description::change(std::size_t value, const boost::json::value& instead) const {
  return {path, place.member("path").position(), values[value].place.document(instead)};
}

std::vector<std::string> axis_description::keys() const { return change(0, values.front().value).keys(); }

sweep_file::sweep_file(const std::filesystem::path& file) : sweep_file(source_of(file)) {}

sweep_file::sweep_file(source from)
    : folder_(std::move(from.folder)), text_(std::move(from.text)), document_(tc::config::json_document::parse(text_, from.name.string())) {
  name = from.name.stem().string();
  root().require_keys({"name", "description", "base", "set", "workloads", "axes", "constraints", "metrics", "pareto", "statistics",
                       "fixed_code", "repeat"});
  read_head();
  read_workloads();
  read_axes();
  read_assignments();
}

sweep_file::source sweep_file::source_of(const std::filesystem::path& file) {
  namespace config = tc::config;
  const config::built_in_file* const found = config::find_built_in(file.string());
  const bool is_built_in = found != nullptr && kind_of(*found) == config::built_in_kind::sweep;
  note_input(file);
  if (is_built_in ? config::is_file(file) : config::may_be_there(file))
    return {config::json_document::read(file), file, file.has_parent_path() ? file.parent_path() : std::filesystem::path(".")};
  if (is_built_in) return {std::string(found->text), config::source_of(*found), "."};
  const std::vector<std::string> names = config::built_in_names(config::built_in_kind::sweep);
  const std::string nearest = config::nearest_name(file.stem().string(), names);
  throw config::config_error(file.string(), {}, "",
                             fmt::format("there is no such file, nor a built-in sweep of this name{}; built in: {}",
                                         nearest.empty() ? "" : fmt::format("; did you mean \"{}\"?", nearest), config::joined(names)));
}

void sweep_file::read_head() {
  const file_value all = root();
  if (const auto given = all.find("name")) {
    name = given->string();
    if (name.empty() || name.find('/') != std::string::npos) throw given->error("must be good for the name of a file");
  }
  if (const auto given = all.find("description")) description = given->string();
  base = all.find("base");
  if (base) base->string();
  if (const auto given = all.find("constraints")) constraints = given->elements();
  for (const file_value& constraint : constraints) constraint.string();
  metrics = all.find("metrics");
  pareto = all.find("pareto");
  if (const auto given = all.find("fixed_code")) fixed_code = given->boolean();
  if (const auto given = all.find("repeat")) {
    constexpr unsigned most = 1000;
    const double number = given->number();
    if (!(number >= 1 && number <= most && number == std::floor(number)))
      throw given->error(fmt::format("must be a whole number from 1 to {}: how often each point is run", most));
    repeat = static_cast<unsigned>(number);
  }
  if (const auto given = all.find("statistics")) {
    const std::string detail = given->string();
    if (detail != "summary" && detail != "full") throw given->error(tc::config::unknown_name_text("value", detail, {"summary", "full"}));
    statistics = detail == "full" ? statistics_detail::full : statistics_detail::summary;
  }
}

void sweep_file::read_assignments() {
  const auto set = root().find("set");
  if (!set) return;
  for (const std::string& path : set->keys()) {
    const file_value value = set->member(path);
    if (path.compare(0, workload_prefix.size(), workload_prefix) == 0)
      throw value.error("this sets parameters of the machine; those of a workload stand in the workload");
    assignments.emplace_back(path, value.position(), value.document());
    for (const axis_description& axis : axes)
      if (axis.of == axis_description::target::machine && axis.keys() == assignments.back().keys())
        throw value.error(fmt::format("changes nothing, for the axis \"{}\" sets the same parameter", axis.name));
  }
}

void sweep_file::read_workloads() {
  const file_value list = root().member("workloads");
  std::map<std::string, unsigned> unnamed;
  for (const file_value& workload : list.elements()) {
    std::vector<std::string> known = workload_kinds();
    known.emplace_back("name");
    workload.require_keys(known);
    std::vector<std::string> kinds = workload.keys();
    kinds.erase(std::remove(kinds.begin(), kinds.end(), "name"), kinds.end());
    if (kinds.size() != 1)
      throw workload.error(
          fmt::format("a workload has one of the keys {}, and its parameters there", tc::config::joined(workload_kinds())));
    const auto given = workload.find("name");
    if (given && given->string().empty()) throw given->error("a name is not empty");
    if (!given) ++unnamed[kinds.front()];
    workloads.push_back({given ? given->string() : "", kinds.front(), workload.member(kinds.front()), workload});
  }
  if (workloads.empty()) throw list.error("a sweep needs at least one workload");

  std::map<std::string, unsigned> numbers;
  for (workload_description& workload : workloads)
    if (workload.name.empty())
      workload.name = unnamed[workload.kind] == 1 ? workload.kind : fmt::format("{}_{}", workload.kind, ++numbers[workload.kind]);
  for (auto workload = workloads.begin(); workload != workloads.end(); ++workload)
    if (std::any_of(workloads.begin(), workload, [&](const auto& other) { return other.name == workload->name; }))
      throw workload->place.error(fmt::format("another workload has the name \"{}\"", workload->name));
}

void sweep_file::read_axes() {
  if (const auto list = root().find("axes"))
    for (const file_value& axis : list->elements()) add_axis(axis);
  check_axes();
}

void sweep_file::add_axis(const file_value& axis) {
  if (!axis.has("zip")) {
    dimensions.push_back({axes.size()});
    axes.push_back(read_axis(axis));
    require_distinct({&axes.back().values});
    return;
  }
  axis.require_keys({"zip"});
  const auto zipped = axis.member("zip").elements();
  if (zipped.size() < 2) throw axis.member("zip").error("zips two axes or more");
  auto& together = dimensions.emplace_back();
  for (const file_value& inner : zipped) {
    together.push_back(axes.size());
    axes.push_back(read_axis(inner));
    const axis_description& first = axes[together.front()];
    if (axes.back().values.size() != first.values.size())
      throw inner.error(fmt::format("has {}, but \"{}\", which it is zipped with, has {}", counted(axes.back().values.size(), "value"),
                                    first.name, first.values.size()));
  }
  std::vector<const std::vector<axis_value>*> values;
  for (const std::size_t index : together) values.push_back(&axes[index].values);
  require_distinct(values);
}

void sweep_file::check_axes() const {
  for (std::size_t i = 0; i < axes.size(); ++i) check_axis(i);
  const auto of_bases = std::find_if(axes.begin(), axes.end(), [](const auto& axis) { return axis.of == axis_description::target::base; });
  if (base && of_bases != axes.end()) throw base->error(fmt::format("the axis \"{}\" has the base configurations", of_bases->name));
  if (!base && of_bases == axes.end()) throw root().error("\"base\" is missing: a built-in configuration or a file");
}

void sweep_file::check_axis(std::size_t index) const {
  const axis_description& axis = axes[index];
  for (std::size_t i = 0; i < index; ++i) {
    if (is_same_column(axes[i].name, axis.name))
      throw axis.place.error(fmt::format("another axis has the name \"{}\"; give this one a name of its own", axes[i].name));
    if (parameter_of(axes[i]) == parameter_of(axis))
      throw axis.place.error(fmt::format("the axis \"{}\" varies the same parameter", axes[i].name));
  }
  std::vector<std::string> known;
  for (const auto& workload : workloads) known.push_back(workload.name);
  for (const std::string& having : axis.workloads)
    if (std::find(known.begin(), known.end(), having) == known.end())
      throw axis.place.member("workloads").error(tc::config::unknown_name_text("workload", having, known));
}

}  // namespace tcsim
