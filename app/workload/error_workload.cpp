// SPDX-License-Identifier: Apache-2.0
#include "error_workload.hpp"

#include <stdexcept>

#include <boost/describe/enum_to_string.hpp>
#include <fmt/format.h>

#include "error_figures.hpp"

namespace tcsim {

namespace study = tc::study;

study::studied_datapath error_workload::datapath_of(const tc::config::machine& machine) const {
  try {
    return studied_datapath_of(machine.name, machine, tc::numerics::find_number_format(values().input),
                               tc::numerics::find_number_format(values().output), values().operands);
  } catch (const std::invalid_argument& error) {
    throw usage_error(fmt::format("{}: {}", machine.name, error.what()));
  }
}

void error_workload::check_valid(const tc::config::machine& machine) const { datapath_of(machine); }

workload_outcome error_workload::run_valid(const tc::config::machine& machine) const {
  study::error_study_settings settings;
  settings.input = tc::numerics::find_number_format(values().input);
  settings.accumulator = tc::numerics::find_number_format(values().output);
  settings.lengths = {values().k};
  settings.distribution = distribution_named(values().distribution).distribution;
  settings.dots = values().dots;
  settings.seed = values().seed;
  const study::error_statistics errors = study::study_errors({datapath_of(machine)}, settings).front().statistics;
  workload_outcome outcome;
  outcome.statistics["workload"] =
      boost::json::object{{"kind", kind_name}, {"outputs", errors.results()}, {"errors", figures_json(errors)}};
  return outcome;
}

std::vector<std::string> error_workload::arguments() const {
  const error_parameters& given = values();
  const error_parameters usual;
  argument_list list(kind_name);
  list.add("--input", given.input, usual.input);
  list.add("--output", given.output, usual.output);
  if (given.operands != usual.operands) list.add_words({"--operands", boost::describe::enum_to_string(given.operands, "")});
  list.add_words({"--k", std::to_string(given.k)});
  list.add("--distribution", given.distribution, usual.distribution);
  list.add("--dots", given.dots, usual.dots);
  list.add("--seed", given.seed, usual.seed);
  return std::move(list).words();
}

}  // namespace tcsim
