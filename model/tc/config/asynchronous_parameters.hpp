// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>

#include <boost/describe/class.hpp>

#include <tc/config/parameter_type.hpp>

namespace tc::config {

/// The unit of an SM that works on mbarrier objects in shared memory.
struct barrier_unit_parameters {
  unsigned interval_cycles = 8;
  unsigned access_cycles = 34;
  unsigned wake_cycles = 28;
};
BOOST_DESCRIBE_STRUCT(barrier_unit_parameters, (), (interval_cycles, access_cycles, wake_cycles))

inline constexpr auto describe_parameters(const barrier_unit_parameters*) {
  return std::array{
      parameter_note{"interval_cycles", "cycles", "from an operation on an mbarrier to the next one", "measured on an H200"},
      parameter_note{"access_cycles", "cycles", "from the arrival of an operation to its answer",
                     "fitted to arrivals and waits measured on an H200"},
      parameter_note{"wake_cycles", "cycles",
                     "from the answer that completes a phase, or from the bytes of a bulk copy that do, to the answers of those who wait",
                     "fitted to two warps that wait for each other, measured on an H200"},
  };
}

void validate(const barrier_unit_parameters& parameters, const std::string& path);

/// Bulk copies in one direction.
struct bulk_copy_direction_parameters {
  unsigned start_cycles = 1;
  unsigned interval_cycles = 48;
  unsigned bytes_per_cycle = 96;
  unsigned complete_cycles = 1;
};
BOOST_DESCRIBE_STRUCT(bulk_copy_direction_parameters, (), (start_cycles, interval_cycles, bytes_per_cycle, complete_cycles))

inline constexpr auto describe_parameters(const bulk_copy_direction_parameters*) {
  return std::array{
      parameter_note{"start_cycles", "cycles", "from the arrival of a copy to its first request", "fitted to copies measured on an H200"},
      parameter_note{"interval_cycles", "cycles", "from the start of a copy to that of the next one",
                     "fitted to copies measured on an H200"},
      parameter_note{"bytes_per_cycle", "bytes", "bytes that go into or out of shared memory in a cycle", "measured on an H200"},
      parameter_note{"complete_cycles", "cycles",
                     "from the last byte in shared memory, or on its way to global memory, to the mbarrier or the bulk group that is told",
                     "fitted to copies measured on an H200"},
  };
}

void validate(const bulk_copy_direction_parameters& parameters, const std::string& path);

/// The engine of an SM that copies between global and shared memory (the tensor memory accelerator).
struct bulk_copy_parameters {
  unsigned requests_in_flight = 256;
  bulk_copy_direction_parameters load{};
  bulk_copy_direction_parameters store{45, 7, 32, 7};
};
BOOST_DESCRIBE_STRUCT(bulk_copy_parameters, (), (requests_in_flight, load, store))

inline constexpr auto describe_parameters(const bulk_copy_parameters*) {
  return std::array{
      parameter_note{"requests_in_flight", "requests", "lines of global memory that are on their way at a time", "inferred"},
      parameter_note{"load", "", "copies from global to shared memory", ""},
      parameter_note{"store", "", "copies from shared to global memory", ""},
  };
}

void validate(const bulk_copy_parameters& parameters, const std::string& path);

/// Warpgroup matrix instructions (wgmma): the operand feed of an SM and what its sub-cores add. How long an instruction takes follows from
/// the width of shared memory, the dot-product units and these.
struct warpgroup_parameters {
  unsigned operand_tiles = 0;
  unsigned queue_entries = 32;
  unsigned start_cycles = 1;
  unsigned register_fill_cycles = 1;
  unsigned register_interval_cycles = 1;
  unsigned warp_wait_cycles = 0;
  unsigned warp_turn_cycles = 0;

  /// Whether the machine has such instructions.
  bool is_there() const { return operand_tiles != 0; }
};
BOOST_DESCRIBE_STRUCT(warpgroup_parameters, (),
                      (operand_tiles, queue_entries, start_cycles, register_fill_cycles, register_interval_cycles, warp_wait_cycles,
                       warp_turn_cycles))

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
      parameter_note{
          "warp_wait_cycles", "cycles",
          "that a matrix instruction of a warp waits before it goes ahead of those of warpgroups, which have the tensor core first",
          "fitted to HMMA.16816 beside m64n8k16, recorded on an H100"},
      parameter_note{"warp_turn_cycles", "cycles",
                     "that those of warpgroups lose by it: the tensor core ends theirs, and begins them again",
                     "fitted to HMMA.16816 beside m64n64k16, recorded on an H100"},
  };
}

void validate(const warpgroup_parameters& parameters, const std::string& path);

}  // namespace tc::config
