// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>

#include <boost/describe/class.hpp>

#include <tc/config/parameter_type.hpp>

namespace tc::config {

/// Warpgroup matrix instructions (wgmma): the operand feed of an SM and what its sub-cores add. How long an instruction takes follows from
/// the width of shared memory, the dot-product units and these.
struct warpgroup_parameters {
  unsigned operand_tiles = 0;
  unsigned queue_entries = 32;
  unsigned start_cycles = 1;
  unsigned register_fill_cycles = 1;
  unsigned register_interval_cycles = 1;

  /// Whether the machine has such instructions.
  bool is_there() const { return operand_tiles != 0; }
};
BOOST_DESCRIBE_STRUCT(warpgroup_parameters, (),
                      (operand_tiles, queue_entries, start_cycles, register_fill_cycles, register_interval_cycles))

inline constexpr auto describe_parameters(const warpgroup_parameters*) {
  return std::array{
      parameter_note{"operand_tiles", "tiles",
                     "instructions whose operands from shared memory have room in front of the tensor cores; 2: those of the next one come "
                     "while this one computes; 0: no warpgroup instructions",
                     "design: ping-pong"},
      parameter_note{"queue_entries", "instructions",
                     "of a warp that wait for their operands before the warp stalls; each warp has a queue of its own", "design"},
      parameter_note{"start_cycles", "cycles", "from the last warp's part to the first access to shared memory",
                     "fitted to m64n128k16, A and B in shared memory, a batch of 1, recorded on an H200"},
      parameter_note{"register_fill_cycles", "cycles", "from the last warp's part to the first products if A is in registers",
                     "fitted to m64n8k16, A in registers, a batch of 1, recorded on an H200"},
      parameter_note{"register_interval_cycles", "cycles", "from one instruction of a warpgroup with A in registers to the next, at least",
                     "fitted to m64n8k16, A in registers, recorded on an H200"},
  };
}

void validate(const warpgroup_parameters& parameters, const std::string& path);

}  // namespace tc::config
