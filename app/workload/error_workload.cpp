// SPDX-License-Identifier: Apache-2.0
#include "error_workload.hpp"

#include <algorithm>
#include <stdexcept>

#include <boost/describe/enum_to_string.hpp>
#include <fmt/format.h>

#include <tc/config/described_type.hpp>
#include <tc/config/make_dot_product.hpp>
#include <tc/config/spelling.hpp>
#include <tc/config/validation.hpp>

#include "error_figures.hpp"

namespace tcsim {

namespace {

namespace study = tc::study;
using tc::numerics::number_format;

constexpr unsigned longest = 1u << 20;

void require_known(const std::string& word, const std::vector<std::string>& names, const std::string& path) {
  tc::config::require(std::find(names.begin(), names.end(), word) != names.end(), path,
                      tc::config::unknown_name_text("value", word, names));
}

/// PTX ISA, mma, wgmma and tcgen05.mma: bf16 and tf32 are accumulated in f32 alone.
bool accumulates(const number_format& input, const number_format& output) {
  return output == tc::numerics::f32 || (input != tc::numerics::bf16 && input != tc::numerics::tf32);
}

}  // namespace

void validate(const error_parameters& parameters, const std::string& path) {
  using tc::config::member_path;
  require_known(parameters.input, {error_input_names.begin(), error_input_names.end()}, member_path(path, "input"));
  require_known(parameters.output, {error_output_names.begin(), error_output_names.end()}, member_path(path, "output"));
  require_known(parameters.distribution, distribution_names(), member_path(path, "distribution"));
  tc::config::require_positive(parameters.k, path, "k");
  tc::config::require_at_most(parameters.k, longest, path, "k");
  tc::config::require(parameters.dots > 0, member_path(path, "dots"), "must be positive");
}

std::vector<std::string> distribution_names() {
  std::vector<std::string> names;
  for (const auto& text : study::distribution_texts()) names.emplace_back(text.name);
  return names;
}

const study::distribution_text& distribution_named(const std::string& name) {
  const auto& texts = study::distribution_texts();
  return *std::find_if(texts.begin(), texts.end(), [&](const auto& text) { return text.name == name; });
}

study::studied_datapath studied_datapath_of(const std::string& name, const tc::config::machine& machine, const number_format& input,
                                            const number_format& output, error_operands operands) {
  if (!accumulates(input, output)) throw std::invalid_argument(fmt::format("no tensor core accumulates {} in {}", input.name, output.name));
  const auto source =
      operands == error_operands::registers ? tc::config::operand_source::registers : tc::config::operand_source::shared_memory;
  return {name, tc::config::make_dot_product({input, input, output}, machine.sm.sub_core.tensor_core.arithmetic, source),
          study::instruction_k_of(input)};
}

}  // namespace tcsim

template const tc::config::parameter_type& tc::config::type_of<tcsim::error_parameters>();

namespace tcsim {

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
