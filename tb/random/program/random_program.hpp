// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include <tc/config/machine.hpp>
#include <tc/isa/architecture.hpp>

namespace tcsim::random_programs {

/// A kernel that computes the same whatever the timing of the machine: what warps exchange, they exchange over barriers. In the end all
/// registers and memories are in global memory.
struct random_program {
  std::string header;                 ///< lines of a trace without what is expected
  std::string body;                   ///< from the first `cta` on
  std::uint64_t base = 0, bytes = 0;  ///< of global memory with all results

  tc::isa::architecture arch = tc::isa::architecture::sm_70;
  unsigned warps = 0;                              ///< of a CTA
  bool has_whole_warps = true;                     ///< no warp has fewer than 32 threads, at the beginning or later
  std::uint32_t data_begin = 0, shared_bytes = 0;  ///< of a CTA's shared memory: what warps exchange, and the end
  std::uint32_t free_barrier = 0;                  ///< from Hopper on, where there is room for an mbarrier that nobody uses

  /// The trace without and with what is expected: bytes in the order of their addresses.
  std::string text() const { return header + body; }
  std::string text(const std::uint8_t* expected) const;
};

/// Where a program has its memory.
struct program_memory {
  std::uint64_t inputs = 0x100000, results = 0x400000;  ///< addresses
  std::uint64_t inputs_bytes = 16384;
  bool has_inputs = true;  ///< false: they are there already
};

/// A program for the first architecture of a machine. It depends on the seed alone, and on what the machine can multiply and has room for.
random_program make_random_program(std::uint64_t seed, const tc::config::machine& machine, const program_memory& memory = {});

}  // namespace tcsim::random_programs
