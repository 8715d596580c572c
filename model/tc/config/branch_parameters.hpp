// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>

#include <boost/describe/class.hpp>

#include <tc/config/parameter_type.hpp>

namespace tc::config {

/// How much later than their stall count says a warp goes on behind instructions of control flow. All zero: at once.
struct branch_parameters {
  unsigned taken_cycles = 0;
  unsigned computed_cycles = 0;
  unsigned divergence_cycles = 0;
  unsigned convergence_cycles = 0;
  unsigned reconvergence_cycles = 0;
  unsigned switch_cycles = 0;
};
BOOST_DESCRIBE_STRUCT(branch_parameters, (),
                      (taken_cycles, computed_cycles, divergence_cycles, convergence_cycles, reconvergence_cycles, switch_cycles))

inline constexpr auto describe_parameters(const branch_parameters*) {
  return std::array{
      parameter_note{"taken_cycles", "cycles", "by which a warp goes on later behind a branch or a call that is taken",
                     "measured on an H100: loops of 4 to 40 instructions; record/launches/branch_clocks.cu"},
      parameter_note{"computed_cycles", "cycles", "by which it goes on later behind RET and other branches to where registers say",
                     "measured on an H100, the same"},
      parameter_note{"divergence_cycles", "cycles", "by which a branch takes longer that a part of the warp takes and goes first",
                     "measured on an H100, the same"},
      parameter_note{"convergence_cycles", "cycles", "by which a warp goes on later behind BSYNC", "measured on an H100, the same"},
      parameter_note{"reconvergence_cycles", "cycles", "the same if other lanes have waited there", "measured on an H100, the same"},
      parameter_note{"switch_cycles", "cycles", "from lanes that wait for others to where the others go on",
                     "measured on an H100, the same"},
  };
}

void validate(const branch_parameters& parameters, const std::string& path);

}  // namespace tc::config
