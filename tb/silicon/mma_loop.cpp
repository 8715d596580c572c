// SPDX-License-Identifier: Apache-2.0
#include "mma_loop.hpp"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include <tc/isa/instruction_parser.hpp>

#include "listing.hpp"
#include "recorded_run.hpp"

namespace tc::silicon {

namespace {

/// An instruction as ptxas schedules it for sm_80: cycles until an independent one, and until a dependent one. And the cycles that the end
/// of an iteration takes besides.
struct schedule {
  unsigned spacing, latency, end_of_iteration;
};

schedule schedule_of(const isa::mma_operation& mma) {
  const bool is_long = mma.b_registers() == 2;
  return is_long ? schedule{8, 24, 3} : schedule{4, 16, 4};
}

/// The instruction on accumulator i.
std::string instruction_on(const mma_loop& loop, unsigned i) {
  const bool is_half = loop.instruction[0] == 'H';
  const unsigned d = 16 + i * loop.d_registers;
  return fmt::format("{} R{}, R4{}, R8{}, R{}", loop.instruction, d, is_half ? "" : ".ROW", is_half ? "" : ".COL", d);
}

isa::mma_operation operation_of(const mma_loop& loop) {
  return *isa::parse_operation(instruction_on(loop, 0), isa::architecture::sm_80).mma;
}

std::string stalling(unsigned cycles, const std::string& instruction) {
  return fmt::format("[B------:R-:W-:-:S{:02}] {}", cycles, instruction);
}

/// Iterations of the unrolled loop between two clock reads. How the loop was compiled is not published: assumed are the compiler's spacing,
/// cycles for __syncwarp and branch after the last instruction of an iteration, and a cycle more than the latency to the next iteration.
///
/// For sm_80, ptxas 13.0 unrolls four iterations and makes of __syncwarp an instruction that does nothing, or nothing at all; its end of an
/// iteration takes five cycles for four accumulators of HMMA.1688, two for three of longer instructions, and an iteration of one
/// accumulator a cycle or half of one more than the latency. All types of one latency get the same stall counts: that INT4 and single bits
/// were measured slower is not the code's doing.
listing unrolled(const mma_loop& loop, unsigned iterations) {
  constexpr unsigned largest_stall = 15;
  const schedule times = schedule_of(operation_of(loop));
  const unsigned before_last = (loop.accumulators - 1) * times.spacing;
  const unsigned rest =
      std::max(times.spacing + times.end_of_iteration, times.latency + 1 > before_last ? times.latency + 1 - before_last : 0);
  const unsigned stall_of_last = std::min(rest - times.end_of_iteration + 1, largest_stall);
  listing code{stalling(2, "CS2R R2, SR_CLOCKLO")};
  for (unsigned n = 0; n < iterations; ++n) {
    for (unsigned i = 0; i + 1 < loop.accumulators; ++i) code.push_back(stalling(times.spacing, instruction_on(loop, i)));
    code.push_back(stalling(stall_of_last, instruction_on(loop, loop.accumulators - 1)));
    code.push_back(stalling(rest - stall_of_last, "WARPSYNC 0xffffffff"));
  }
  code.push_back(stalling(6, "CS2R R2, SR_CLOCKLO"));
  return code;
}

}  // namespace

double cycles_of(const mma_loop& loop, unsigned warps) {
  constexpr unsigned iterations = 64;
  const auto result = run_listings("sm_80", {unrolled(loop, iterations)}, machine_of("ampere"), warps);
  if (!result.hazards.empty()) throw std::runtime_error(loop.instruction + ": the loop reads values too early");
  return static_cast<double>(clock_differences(result).at(0)) / iterations;
}

unsigned multiply_accumulates_of(const mma_loop& loop) {
  const isa::mma_operation mma = operation_of(loop);
  return unsigned{mma.m} * mma.n * mma.k * mma.instances / mma.steps * loop.accumulators;
}

}  // namespace tc::silicon
