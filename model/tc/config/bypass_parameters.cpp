// SPDX-License-Identifier: Apache-2.0
#include "bypass_parameters.hpp"

#include <string>
#include <utility>

#include <tc/config/validation.hpp>

namespace tc::config {

namespace {

/// No result of the presets takes longer to pass.
constexpr unsigned most_cycles = 8;

}  // namespace

void validate(const bypass_parameters& parameters, const std::string& path) {
  for (const auto& [cycles, member] :
       {std::pair(parameters.other_pipe_cycles, "other_pipe_cycles"), std::pair(parameters.guard_lead_cycles, "guard_lead_cycles"),
        std::pair(parameters.wide_addend_cycles, "wide_addend_cycles"), std::pair(parameters.store_data_cycles, "store_data_cycles"),
        std::pair(parameters.double_conversion_cycles, "double_conversion_cycles")})
    require(cycles <= most_cycles, member_path(path, member), "must be at most " + std::to_string(most_cycles));
  require(parameters.wide_lead_cycles <= 2, member_path(path, "wide_lead_cycles"), "must be at most 2");
}

}  // namespace tc::config
