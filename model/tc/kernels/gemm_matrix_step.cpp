// SPDX-License-Identifier: Apache-2.0
#include "gemm_matrix_step.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include <tc/config/product_rate.hpp>
#include <tc/isa/register_mma.hpp>
#include <tc/kernels/gemm_problem.hpp>

namespace tc::kernels {
namespace {

using isa::architecture;
using isa::element_type;
using isa::fragment;

constexpr unsigned threadgroups_per_warp = 8;

/// Shapes of the PTX ISA's mma.sync from Turing on, the largest first where two have the same elements.
constexpr std::array<std::string_view, 10> shape_names{"16864", "168256", "168128", "16832", "16816",
                                                       "1688",  "1684",   "88128",  "8832",  "8816"};

std::string mnemonic_of(const gemm_precision& precision, std::string_view shape) {
  return fmt::format("{}.{}.{}", precision.opcode, shape, precision.suffixes);
}

bool is_volta(const gemm_precision& precision, architecture arch) {
  return isa::info(arch).octet_steps && precision.multiplicand == element_type::f16;
}

bool has_shape(const gemm_precision& precision, std::string_view shape, architecture arch) {
  try {
    isa::parse_register_mma(mnemonic_of(precision, shape), arch);
    return true;
  } catch (const isa::syntax_error&) {
    return false;
  }
}

/// Cycles for which an instruction occupies the dot-product units.
unsigned occupancy_cycles(const isa::mma_operation& mma, const gemm_precision& precision, const config::tensor_core_parameters& core) {
  return static_cast<unsigned>(mma.m * mma.n * mma.k / multiply_accumulates_per_cycle(precision, core));
}

// The latencies and intervals below are what a compiler believes when it spaces instructions, whatever the machine that runs them: it does
// not read the configuration. Only how long the units are busy depends on the parts of one architecture, and is taken from it.

/// Turing: filling, pipeline and write-back behind the passes through the units (measured on a Quadro RTX 6000: HMMA.1688 14 cycles). The
/// compiler does not know whether f32 sums take twice as long, so it waits for a barrier.
void set_turing_timing(matrix_step& step, unsigned occupancy) {
  constexpr unsigned behind_the_passes = 6;
  step.interval_cycles = occupancy;
  step.latency_cycles = occupancy + behind_the_passes;
  step.announces_result = true;
}

/// From Ampere on, what CUDA 13.0 ptxas leaves between instructions grows with the registers of A, that is with the bytes of k (17 for two
/// registers: recorded on an H200). Parts with fewer units than an A100 take longer by what their units take longer.
void set_ampere_timing(matrix_step& step, unsigned occupancy) {
  constexpr unsigned least_interval = 4;
  const bool is_large = step.a_registers == 4;
  const unsigned a100_occupancy = is_large ? 8 : least_interval, a100_latency = is_large ? 24 : step.a_registers == 2 ? 17 : 14;
  step.interval_cycles = std::max(least_interval, occupancy);
  step.latency_cycles = a100_latency + std::max(occupancy, a100_occupancy) - a100_occupancy;
}

/// On Hopper a matrix instruction also takes a cycle for each register of A and B (intervals recorded on an H200).
void set_hopper_timing(matrix_step& step, unsigned occupancy) {
  set_ampere_timing(step, occupancy);
  step.interval_cycles = std::max(step.interval_cycles, step.a_registers + step.b_registers);
}

/// Compiled code of an architecture is timed as that of the latest one here that is not younger.
void set_timing(matrix_step& step, architecture arch, unsigned occupancy) {
  if (isa::hopper_on.contains(arch)) return set_hopper_timing(step, occupancy);
  if (isa::ampere_on.contains(arch)) return set_ampere_timing(step, occupancy);
  set_turing_timing(step, occupancy);
}

matrix_step single_instruction(const gemm_precision& precision, architecture arch, const std::string& mnemonic,
                               const config::tensor_core_parameters& core) {
  const isa::register_mma found = isa::parse_register_mma(mnemonic, arch);
  const isa::mma_operation& mma = found.mma;
  matrix_step step{mma,
                   mma.m,
                   mma.n,
                   mma.k,
                   mma.a_registers(),
                   mma.b_registers(),
                   mma.d_registers(),
                   found.layout(fragment::a),
                   found.layout(fragment::b),
                   found.layout(fragment::d),
                   {{mnemonic}}};
  set_timing(step, arch, occupancy_cycles(mma, precision, core));
  return step;
}

/// Two sets of HMMA.884, k 8, of the 16x16x16 that a warp holds: steps 0 to 3 with f32 sums, 0 and 1 with f16 sums (Jia et al., arXiv
/// 1804.06826, listing 4.1). Four registers of a lane have eight consecutive k.
matrix_step volta_sets(const gemm_precision& precision) {
  constexpr unsigned sets = 2, registers_per_set = 2, k_per_set = 4;
  const bool wide = precision.accumulator == element_type::f32;
  const std::string_view sums = wide ? "F32" : "F16";
  const isa::register_mma tile = isa::parse_register_mma(wide ? "wmma.m16n16k16.f16.f32" : "wmma.m16n16k16.f16.f16", architecture::sm_70);
  matrix_step step{tile.mma,
                   tile.mma.m,
                   tile.mma.n,
                   sets * k_per_set,
                   sets * registers_per_set,
                   sets * registers_per_set,
                   tile.layout(fragment::d).registers(),
                   tile.layout(fragment::a),
                   tile.layout(fragment::b),
                   tile.layout(fragment::d),
                   {}};
  step.operation.k = k_per_set;
  for (unsigned set = 0; set < sets; ++set)
    for (unsigned part = 0; part < step.d_registers / 2; ++part)
      step.instructions.push_back(
          {fmt::format("HMMA.884.{}.{}.STEP{}", sums, sums, part), registers_per_set * set, registers_per_set * set, 2 * part});
  step.latency_cycles = wide ? 10 : 13;  // cycles from set to set, measured on a Titan V (Raihan et al., ISPASS 2019, figure 9)
  step.interval_cycles = wide ? 2 : 4;
  step.loads_matrices = false;
  return step;
}

}  // namespace

double multiply_accumulates_per_cycle(const gemm_precision& precision, const config::tensor_core_parameters& tensor_core) {
  const unsigned divider = precision.accumulator == element_type::f32 ? tensor_core.f32_accumulate_divider : 1;
  return double{threadgroups_per_warp} * tensor_core.dot_product_units *
         config::product_rate_of(tensor_core.unit, precision.multiplicand).per_cycle / divider;
}

std::vector<std::string> matrix_shapes(const gemm_precision& precision, architecture arch) {
  std::vector<std::string> shapes;
  if (is_volta(precision, arch)) return {"884"};
  for (const std::string_view shape : shape_names)
    if (has_shape(precision, shape, arch)) shapes.emplace_back(shape);
  return shapes;
}

matrix_step choose_matrix_step(const gemm_precision& precision, architecture arch, unsigned k,
                               const config::tensor_core_parameters& tensor_core) {
  const std::vector<std::string> shapes = matrix_shapes(precision, arch);
  if (shapes.empty())
    throw gemm_error(fmt::format("{} has no matrix instruction for {} in registers; it has {}{}", isa::name(arch), precision.name,
                                 precision_names(arch), has_warpgroup_product(precision, arch) ? "; wgmma multiplies it" : ""));
  if (config::product_rate_of(tensor_core.unit, precision.multiplicand).per_cycle == 0)
    throw gemm_error(
        fmt::format("the tensor cores of this machine do not multiply {}: see sm.sub_core.tensor_core.unit in the configuration",
                    isa::name(precision.multiplicand)));
  unsigned least_k = 0;
  for (const std::string& shape : shapes) {
    matrix_step step =
        is_volta(precision, arch) ? volta_sets(precision) : single_instruction(precision, arch, mnemonic_of(precision, shape), tensor_core);
    if (k % step.k == 0) return step;
    least_k = step.k;
  }
  throw gemm_error(fmt::format("k = {} is no multiple of {}, the k of the smallest matrix instruction of {} on {}; {} would be", k, least_k,
                               precision.name, isa::name(arch), (k / least_k + 1) * least_k));
}

}  // namespace tc::kernels
