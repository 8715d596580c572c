// SPDX-License-Identifier: Apache-2.0
#include "gemm_plan.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <tc/kernels/gemm_problem.hpp>
#include <tc/trace/kernel_header.hpp>
#include <tc/trace/limits.hpp>

namespace tc::kernels {
namespace {

constexpr unsigned chunk_bytes = 16;     // of a row of an 8x8 matrix of LDSM, and of the widest load
constexpr unsigned preferred_tile = 64;  // elements
constexpr unsigned preferred_k_bytes = 64;

bool is_power_of_two(unsigned value) { return value != 0 && (value & (value - 1)) == 0; }

/// The largest power of two that divides `value`, at most `limit`.
unsigned dividing_power(unsigned value, unsigned limit) { return std::min(value & (~value + 1), limit); }

void choose_k(gemm_plan& plan) {
  const unsigned row_bits = plan.problem.k * plan.problem.element_bits();
  if (plan.tiling.k == 0)
    plan.tiling.k = std::min(plan.problem.k, dividing_power(row_bits / 8, preferred_k_bytes) * 8 / plan.problem.element_bits());
  const unsigned chunk = chunk_bytes * 8 / plan.problem.element_bits();
  require_multiple("k", plan.problem.k, chunk, "16 bytes of a row");
  require_multiple("k of the tile", plan.tiling.k, chunk, "16 bytes of a row");
  require_multiple("k", plan.problem.k, plan.tiling.k, "the k of the tile");
  plan.k_bytes = plan.tiling.k * plan.problem.element_bits() / 8;
  if (!is_power_of_two(plan.k_bytes))
    throw gemm_error(
        fmt::format("k = {} of the tile makes rows of {} bytes; powers of two from 16 on are possible", plan.tiling.k, plan.k_bytes));
  plan.tiles = plan.problem.k / plan.tiling.k;
  plan.steps = plan.tiling.k / plan.step.k;
  // An odd number of 16-byte chunks from row to row: eight rows of a matrix lie in different banks.
  plan.pitch_bytes = plan.k_bytes == chunk_bytes ? chunk_bytes : plan.k_bytes + chunk_bytes;
}

/// Divides the CTA's tile among warps along one direction.
void choose_direction(std::string_view name, unsigned size, unsigned step, unsigned& tile, unsigned& warps, unsigned& steps) {
  if (tile == 0) tile = std::max(step, dividing_power(size, preferred_tile));
  if (warps == 0) warps = tile % (2 * step) == 0 ? 2 : 1;
  if (!is_power_of_two(warps)) throw gemm_error(fmt::format("{} warps along {}: powers of two are possible", warps, name));
  require_multiple(fmt::format("{} of the tile", name), tile, warps * step,
                   fmt::format("{} warps of {}, the {} of the matrix instruction", warps, step, name));
  require_multiple(name, size, tile, fmt::format("the {} of the tile", name));
  steps = tile / warps / step;
}

void check_warps(const gemm_plan& plan, const config::sm_parameters& sm) {
  const unsigned most = std::min<unsigned>(trace::max_block_threads / trace::warp_lanes, sm.max_warps);
  if (plan.warps() > most) throw gemm_error(fmt::format("{} warps in a CTA; {} are possible", plan.warps(), most));
}

/// Every thread copies pieces of 16 bytes, or smaller ones where there are too few.
tile_copy make_copy(std::string_view name, unsigned rows, const gemm_plan& plan) {
  const unsigned bytes = rows * plan.k_bytes;
  const unsigned piece = std::min(chunk_bytes, dividing_power(bytes, chunk_bytes * plan.threads) / plan.threads);
  if (piece < 4)
    throw gemm_error(
        fmt::format("the tile of {} has {} rows of {} bytes, which {} threads cannot share out evenly in pieces of 4 to 16 "
                    "bytes: use a tile of more rows, or fewer warps",
                    name, rows, plan.k_bytes, plan.threads));
  return {rows, piece, bytes / (piece * plan.threads)};
}

void choose_shared_memory(gemm_plan& plan, const config::sm_parameters& sm) {
  plan.shared_base = isa::info(plan.arch).reserved_shared_bytes;
  plan.shared_bytes = plan.shared_base + std::uint64_t{plan.buffers()} * plan.stage_bytes();
  if (plan.shared_bytes <= sm.shared_memory.bytes) return;
  throw gemm_error(fmt::format("{} of {} x {} by k = {} take {} bytes of shared memory; an SM has {}: use a smaller tile{}",
                               plan.tiling.double_buffered ? "two buffers" : "a buffer", plan.tiling.m, plan.tiling.n, plan.tiling.k,
                               plan.shared_bytes, sm.shared_memory.bytes, plan.tiling.double_buffered ? ", or one buffer" : ""));
}

void choose_registers(gemm_plan& plan, const config::sm_parameters& sm) {
  gemm_registers& registers = plan.registers;
  unsigned next = gemm_registers::accumulators;
  const auto take = [&next](unsigned count) {
    const unsigned first = next;
    next += (count + 3) / 4 * 4;  // 128-bit operands are aligned
    return first;
  };
  take(plan.a_steps * plan.b_steps * plan.step.d_registers);
  for (unsigned buffer = 0; buffer < 2; ++buffer) {
    const bool own = buffer < plan.buffers();
    registers.a_fragments[buffer] = own ? take(plan.a_steps * plan.step.a_registers) : registers.a_fragments[0];
    registers.b_fragments[buffer] = own ? take(plan.b_steps * plan.step.b_registers) : registers.b_fragments[0];
  }
  registers.a_staging = take(plan.a.registers());
  registers.b_staging = take(plan.b.registers());
  registers.count = (next + 7) / 8 * 8;  // allocated in units of eight

  const unsigned warps_per_sub_core = (plan.warps() + sm.sub_cores - 1) / sm.sub_cores;
  const unsigned most = std::min(trace::kernel_header::max_registers, sm.sub_core.register_file.warp_registers / warps_per_sub_core);
  registers.count = next <= most ? std::min(registers.count, most) : registers.count;
  if (registers.count > most)
    throw gemm_error(
        fmt::format("a thread needs {} registers, {} of them for its part of D; with {} warps in a CTA there are {}: use a "
                    "smaller tile{}",
                    registers.count, plan.a_steps * plan.b_steps * plan.step.d_registers, plan.warps(), most,
                    plan.warps() < 8 ? ", or more warps" : ""));
}

}  // namespace

gemm_plan make_gemm_plan(const gemm_problem& problem, const gemm_tiling& tiling, isa::architecture arch, const config::machine& machine) {
  const config::tensor_core_parameters& tensor_core = machine.sm.sub_core.tensor_core;
  gemm_plan plan{problem, arch, choose_matrix_step(problem.precision, arch, tiling.k == 0 ? problem.k : tiling.k, tensor_core), tiling};
  choose_k(plan);
  if (plan.tiling.k % plan.step.k != 0) plan.step = choose_matrix_step(problem.precision, arch, plan.tiling.k, tensor_core);
  plan.steps = plan.tiling.k / plan.step.k;
  choose_direction("m", problem.m, plan.step.m, plan.tiling.m, plan.tiling.warps_m, plan.a_steps);
  choose_direction("n", problem.n, plan.step.n, plan.tiling.n, plan.tiling.warps_n, plan.b_steps);
  check_warps(plan, machine.sm);
  plan.threads = plan.warps() * trace::warp_lanes;
  plan.a = make_copy("A", plan.tiling.m, plan);
  plan.b = make_copy("B", plan.tiling.n, plan);
  choose_shared_memory(plan, machine.sm);
  choose_registers(plan, machine.sm);
  require_reach(problem, plan.tiling.m, plan.tiling.n);
  plan.memory = place_matrices(problem, tiling.memory_base);
  return plan;
}

}  // namespace tc::kernels
