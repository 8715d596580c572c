// SPDX-License-Identifier: Apache-2.0
#include "error_parameters.hpp"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include <tc/config/described_type.hpp>
#include <tc/config/make_dot_product.hpp>
#include <tc/config/spelling.hpp>
#include <tc/config/validation.hpp>

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
