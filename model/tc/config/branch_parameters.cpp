// SPDX-License-Identifier: Apache-2.0
#include "branch_parameters.hpp"

#include <string>
#include <utility>

#include <tc/config/validation.hpp>

namespace tc::config {

namespace {

/// Many times what was measured.
constexpr unsigned most_branch_cycles = 1000;

}  // namespace

void validate(const branch_parameters& parameters, const std::string& path) {
  for (const auto& [cycles, member] :
       {std::pair(parameters.taken_cycles, "taken_cycles"), std::pair(parameters.computed_cycles, "computed_cycles"),
        std::pair(parameters.divergence_cycles, "divergence_cycles"), std::pair(parameters.convergence_cycles, "convergence_cycles"),
        std::pair(parameters.reconvergence_cycles, "reconvergence_cycles"), std::pair(parameters.switch_cycles, "switch_cycles")})
    require(cycles <= most_branch_cycles, member_path(path, member), "must be at most " + std::to_string(most_branch_cycles));
}

}  // namespace tc::config
