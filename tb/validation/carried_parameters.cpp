// SPDX-License-Identifier: Apache-2.0
#include "carried_parameters.hpp"

#include <algorithm>
#include <fstream>
#include <optional>
#include <regex>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <tc/config/presets.hpp>
#include <tc/device/gpu.hpp>
#include <tc/isa/architecture.hpp>
#include <tc/kernels/gemm_trace.hpp>

namespace tc::validation {

namespace {

/// Follows the members of a configuration line by line: each stands in a line of its own, or with its object in one.
class path_tracker {
 public:
  /// Takes a line without its comment. Returns the path of the number that stands in it alone, if one does.
  std::optional<std::string> path_in(const std::string& line) {
    static const std::regex opening(R"rx(^\s*"(\w+)":\s*\{\s*$)rx"), number(R"rx(^\s*"(\w+)":\s*\d+\s*,?\s*$)rx"),
        closing(R"(^\s*\}\s*,?\s*$)");
    std::smatch match;
    if (std::regex_match(line, match, opening)) {
      open_.push_back(match[1]);
    } else if (std::regex_match(line, closing)) {
      if (!open_.empty()) open_.pop_back();
    } else if (std::regex_match(line, match, number)) {
      return fmt::format("{}{}{}", fmt::join(open_, "."), open_.empty() ? "" : ".", match[1].str());
    }
    return std::nullopt;
  }

 private:
  std::vector<std::string> open_;
};

std::string between(const std::string& text, const std::string& begin, const std::string& end) {
  const std::size_t first = text.find(begin) + begin.size();
  return text.substr(first, text.find(end, first) - first);
}

/// From half of a value to twice as much, the value itself left out. None is zero, which mostly says that there is no such thing.
std::vector<unsigned> values_around(unsigned value) {
  std::set<unsigned> all{value / 2, 3 * value / 4, value + 1, 3 * value / 2, 2 * value};
  if (value > 1) all.insert(value - 1);
  all.erase(0);
  all.erase(value);
  return {all.begin(), all.end()};
}

void add_parameters(const std::filesystem::path& file, std::vector<carried_parameter>& parameters) {
  std::ifstream stream(file);
  path_tracker paths;
  for (std::string line; std::getline(stream, line);) {
    const std::size_t comment = std::min(line.find("//"), line.size());
    const auto path = paths.path_in(line.substr(0, comment));
    const std::string text = line.substr(comment);
    if (!path || text.find("fitted to ") == std::string::npos || text.find("carried over") == std::string::npos) continue;
    carried_parameter found;
    found.machine = file.stem();
    found.path = *path;
    found.value = static_cast<unsigned>(std::stoul(between(line, "\":", ",")));
    found.fitted_to = between(text, "fitted to ", ", carried over");
    if (found.fitted_to.find('[') != std::string::npos) found.fitted_to += ']';
    found.tried = values_around(found.value);
    parameters.push_back(std::move(found));
  }
}

/// Cycles of a product in f16 with sums in f32 on a machine, by the code that is made for its preset. Timing alone: its values are zeros.
double cycles_of_product(const std::string& preset, const std::vector<std::string>& assignments) {
  const config::machine made_for = config::load_configuration(preset, {"sms=1"});
  std::vector<std::string> all{"sms=1", "sm.sub_core.issue.hazards=interlock"};
  all.insert(all.end(), assignments.begin(), assignments.end());
  const config::machine runs = config::load_configuration(preset, all);
  constexpr unsigned size = size_of_carried_runs;
  const kernels::gemm_plan plan = kernels::make_gemm_plan({size, size, size, kernels::find_precision("mixed")}, {},
                                                          *isa::find_architecture(made_for.architectures.front()), made_for);
  const kernels::gemm_program program(plan, made_for);
  kernels::gemm_matrices matrices;
  matrices.a.resize(plan.problem.a_bytes());
  matrices.b.resize(plan.problem.b_bytes());
  kernels::gemm_trace text(plan, program, matrices);
  const trace::trace trace = text.made("gemm");
  device::run_options options;
  options.data = false;
  options.is_alone = true;
  device::gpu gpu("gpu", runs, {{"gemm", &trace}}, options);
  return static_cast<double>(gpu.run().cycles);
}

bool has_product(const std::string& machine) {
  const auto arch = isa::find_architecture(config::make_preset(machine).architectures.front());
  return arch && kernels::has_gemm(*arch);
}

/// The runs of a parameter's own value come first, then those of the values tried.
std::size_t runs_of(const carried_parameter& parameter) {
  return has_product(parameter.machine) ? varied_carried_runs * (1 + parameter.tried.size()) : 0;
}

}  // namespace

std::vector<carried_parameter> carried_parameters(const std::filesystem::path& configurations) {
  std::vector<carried_parameter> parameters;
  for (const char* const machine : {"volta", "turing", "ampere", "ada", "blackwell"})
    add_parameters(configurations / (std::string(machine) + ".json"), parameters);
  return parameters;
}

study carried_study(const std::vector<carried_parameter>& parameters) {
  study runs({"", "carried parameters", "", "", "cycles"});
  const auto add = [&runs](const carried_parameter& parameter, unsigned value) {
    for (unsigned seed = 1; seed <= varied_carried_runs; ++seed) {
      const std::vector<std::string> assignments{fmt::format("{}={}", parameter.path, value), fmt::format("jitter.seed={}", seed)};
      runs.add({fmt::format("{} {}", parameter.machine, fmt::join(assignments, " "))},
               [machine = parameter.machine, assignments] { return cycles_of_product(machine, assignments); });
    }
  };
  for (const carried_parameter& parameter : parameters) {
    if (runs_of(parameter) == 0) continue;
    add(parameter, parameter.value);
    for (const unsigned value : parameter.tried) add(parameter, value);
  }
  return runs;
}

void set_changes(std::vector<carried_parameter>& parameters, const source& cycles) {
  auto next = cycles.values.begin();
  const auto take_runs = [&next] {
    std::vector<double> runs;
    for (unsigned i = 0; i < varied_carried_runs; ++i) runs.push_back(next++->model.value());
    std::sort(runs.begin(), runs.end());
    return runs;
  };
  for (carried_parameter& parameter : parameters) {
    if (runs_of(parameter) == 0) continue;
    const std::vector<double> own_runs = take_runs();
    const double own = own_runs[varied_carried_runs / 2];
    parameter.spread = 100 * (own_runs.back() - own_runs.front()) / own;
    for (std::size_t i = 0; i < parameter.tried.size(); ++i)
      parameter.changes.push_back(100 * (take_runs()[varied_carried_runs / 2] - own) / own);
  }
}

}  // namespace tc::validation
