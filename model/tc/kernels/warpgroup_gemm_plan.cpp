// SPDX-License-Identifier: Apache-2.0
#include "warpgroup_gemm_plan.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <tc/isa/opcode.hpp>
#include <tc/kernels/gemm_problem.hpp>
#include <tc/kernels/gemm_registers.hpp>
#include <tc/kernels/swizzled_rows.hpp>
#include <tc/trace/kernel_header.hpp>
#include <tc/trace/limits.hpp>

namespace tc::kernels {
namespace {

constexpr unsigned warpgroup_rows = 64;
constexpr unsigned preferred_m = 128, preferred_n = 128, preferred_stages = 4;
constexpr unsigned most_rows_of_box = 256;       // of a bulk tensor copy, and columns of an instruction
constexpr unsigned tensor_row_alignment = 16;    // bytes, of a tensor map's strides
constexpr std::uint64_t tensor_map_bytes = 128;  // CUtensorMap

void check_machine(const gemm_precision& precision, isa::architecture arch, const config::machine& machine) {
  if (!has_warpgroup_gemm(arch, machine))
    throw gemm_error(
        fmt::format("{} has no warpgroup matrix instructions for {}: sm_90 has them, where sm.warpgroup.operand_tiles is not 0",
                    machine.name, isa::name(arch)));
  if (has_warpgroup_product(precision, arch)) return;
  std::vector<std::string> names = precision_names();
  const auto is_missing = [arch](const std::string& name) { return !has_warpgroup_product(find_precision(name), arch); };
  names.erase(std::remove_if(names.begin(), names.end(), is_missing), names.end());
  throw gemm_error(
      fmt::format("warpgroup matrix instructions do not multiply {}; they multiply {}", precision.name, fmt::join(names, ", ")));
}

/// From one possible number of columns of an instruction to the next: 8; of integers 16 above 24 (PTX ISA, wgmma.mma_async).
unsigned columns_unit(const gemm_precision& precision, unsigned columns) {
  return precision.accumulator == isa::element_type::s32 && columns > 24 ? 16 : 8;
}

unsigned choose_n(const gemm_problem& problem) {
  for (unsigned n = preferred_n; n > 0; n -= 8)
    if (n % columns_unit(problem.precision, n) == 0 && problem.n % n == 0) return n;
  return 8;
}

void choose_tile(warpgroup_gemm_plan& plan) {
  const gemm_problem& problem = plan.problem;
  warpgroup_tiling& tiling = plan.tiling;
  if (tiling.m == 0) tiling.m = problem.m % preferred_m == 0 ? preferred_m : warpgroup_rows;
  require_multiple("m of the tile", tiling.m, warpgroup_rows, "the rows of a warpgroup");
  require_multiple("m", problem.m, tiling.m, "the m of the tile");
  if (tiling.n == 0) tiling.n = choose_n(problem);
  require_multiple("n of the tile", tiling.n, columns_unit(problem.precision, tiling.n), "columns of an instruction");
  require_multiple("n", problem.n, tiling.n, "the n of the tile");
  if (std::max(tiling.m, tiling.n) > most_rows_of_box)
    throw gemm_error(
        fmt::format("the tile has {} x {} elements; at most {} rows and columns are possible", tiling.m, tiling.n, most_rows_of_box));

  const unsigned k = warpgroup_gemm_plan::stage_row_bytes * 8 / problem.element_bits();
  if (tiling.k == 0) tiling.k = k;
  if (tiling.k != k)
    throw gemm_error(fmt::format("k = {} of the tile; it must be {}: a stage holds {} bytes of each row", tiling.k, k,
                                 warpgroup_gemm_plan::stage_row_bytes));
  require_multiple("k", problem.k, tensor_row_alignment * 8 / problem.element_bits(), "16 bytes of a row");
  plan.k_tiles = (problem.k + k - 1) / k;
}

isa::mma_operation operation_of(const warpgroup_gemm_plan& plan) {
  const gemm_precision& precision = plan.problem.precision;
  isa::mma_operation operation;
  operation.m = warpgroup_rows;
  operation.n = static_cast<std::uint16_t>(plan.tiling.n);
  operation.k = static_cast<std::uint16_t>(warpgroup_gemm_plan::step_bytes * 8 / plan.problem.element_bits());
  operation.a = operation.b = precision.multiplicand;
  operation.c = operation.d = precision.accumulator;
  return operation;
}

/// So many stages as there is room for, if the tiling leaves that open.
void choose_stages(warpgroup_gemm_plan& plan, const config::sm_parameters& sm) {
  plan.shared_base = (isa::info(plan.arch).reserved_shared_bytes + swizzle_alignment - 1) / swizzle_alignment * swizzle_alignment;
  const unsigned bytes = plan.stage_bytes() + 2 * warpgroup_gemm_plan::barrier_bytes;
  const std::uint64_t there_is = sm.shared_memory.bytes - std::min(plan.shared_base, std::uint64_t{sm.shared_memory.bytes});
  unsigned& stages = plan.tiling.stages;
  if (stages == 0) stages = static_cast<unsigned>(std::clamp<std::uint64_t>(there_is / bytes, 1, std::min(preferred_stages, plan.k_tiles)));
  plan.shared_bytes = plan.shared_base + std::uint64_t{stages} * bytes;
  if (plan.shared_bytes > sm.shared_memory.bytes)
    throw gemm_error(
        fmt::format("{} stages of {} x {} by k = {} take {} bytes of shared memory; an SM has {}: use fewer stages, or a smaller tile",
                    stages, plan.tiling.m, plan.tiling.n, plan.tiling.k, plan.shared_bytes, sm.shared_memory.bytes));
}

void choose_registers(warpgroup_gemm_plan& plan, const config::sm_parameters& sm) {
  const unsigned most_warps = std::min<unsigned>(trace::max_block_threads / trace::warp_lanes, sm.max_warps);
  if (plan.warps() > most_warps) throw gemm_error(fmt::format("{} warps in a CTA; {} are possible", plan.warps(), most_warps));
  plan.registers = (gemm_registers::accumulators + plan.accumulators() + 7) / 8 * 8;  // allocated in units of eight
  const unsigned warps_of_sub_core = (plan.warps() + sm.sub_cores - 1) / sm.sub_cores;
  const unsigned most = std::min(trace::kernel_header::max_registers, sm.sub_core.register_file.warp_registers / warps_of_sub_core);
  if (plan.registers > most)
    throw gemm_error(
        fmt::format("a thread needs {} registers, {} of them for its part of D; with {} warps in a CTA there are {}: use a smaller tile",
                    plan.registers, plan.accumulators(), plan.warps(), most));
}

}  // namespace

std::string warpgroup_gemm_plan::instruction_types() const {
  return fmt::format("m{}n{}k{}.{}.{}.{}", operation.m, operation.n, operation.k, isa::name(operation.d), isa::name(operation.a),
                     isa::name(operation.b));
}

bool has_warpgroup_gemm(isa::architecture arch, const config::machine& machine) {
  return machine.sm.warpgroup.is_there() && isa::info(isa::opcode::wgmma_mma_async).architectures.contains(arch);
}

warpgroup_gemm_plan make_warpgroup_gemm_plan(const gemm_problem& problem, const warpgroup_tiling& tiling, isa::architecture arch,
                                             const config::machine& machine) {
  check_machine(problem.precision, arch, machine);
  warpgroup_gemm_plan result{problem, arch, {}, tiling};
  choose_tile(result);
  result.operation = operation_of(result);
  choose_stages(result, machine.sm);
  choose_registers(result, machine.sm);
  require_reach(problem, result.tiling.m, result.tiling.n);
  result.a_map = tiling.memory_base;
  result.b_map = result.a_map + tensor_map_bytes;
  result.memory = place_matrices(problem, result.b_map + tensor_map_bytes);
  return result;
}

}  // namespace tc::kernels
