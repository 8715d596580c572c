// SPDX-License-Identifier: Apache-2.0
#include "gemm_addresses.hpp"

#include <algorithm>

namespace tc::kernels {
namespace {

constexpr unsigned element_register_bytes = 4;
constexpr unsigned matrix_row_bits = 3;  // LDSM takes rows from lanes 0 to 7 for its first matrix, 8 to 15 for the second, ...

unsigned log2_of(unsigned power_of_two) {
  unsigned bits = 0;
  while (power_of_two >> bits > 1) ++bits;
  return bits;
}

}  // namespace

gemm_addresses::gemm_addresses(const gemm_plan& plan) : plan_(plan) {
  const std::uint32_t row = plan.problem.row_bytes(), result_row = plan.problem.n * plan.problem.result_bytes(), pitch = plan.pitch_bytes;
  const std::uint64_t b_shared = plan.shared_base + std::uint64_t{plan.tiling.m} * pitch;
  a_global = copy_address(plan.a, {plan.memory.a, 0, plan.tiling.m * row}, row);
  b_global = copy_address(plan.b, {plan.memory.b, plan.tiling.n * row, 0}, row);
  a_store = copy_address(plan.a, {plan.shared_base, 0, 0}, pitch);
  b_store = copy_address(plan.b, {b_shared, 0, 0}, pitch);

  a_fragments = loads_of(plan.a_steps, plan.step.a_registers);
  b_fragments = loads_of(plan.b_steps, plan.step.b_registers);
  a_load = load_address(isa::fragment::a, plan.shared_base);
  b_load = load_address(isa::fragment::b, b_shared);
  add_warps(a_load, plan.a_steps * plan.step.m * pitch, 0);
  add_warps(b_load, 0, plan.b_steps * plan.step.n * pitch);

  d_global = {plan.memory.d, plan.tiling.n * plan.problem.result_bytes(), plan.tiling.m * result_row};
  for (unsigned bit = 0; bit < isa::linear_layout::lane_bits; ++bit)
    d_global.add_bits(1, result_offset(plan.step.d.position(1u << bit, 0, 0)));
  add_warps(d_global, plan.a_steps * plan.step.m * result_row, plan.b_steps * plan.step.n * plan.problem.result_bytes());
}

/// Neighbouring threads copy neighbouring pieces of a row, then of the next one.
linear_address gemm_addresses::copy_address(const tile_copy& copy, linear_address address, std::uint32_t pitch) const {
  const unsigned thread_bits = log2_of(plan_.threads), row_bits = std::min(thread_bits, log2_of(plan_.k_bytes / copy.piece_bytes));
  address.add_bits(row_bits, copy.piece_bytes);
  address.add_bits(thread_bits - row_bits, pitch);
  return address;
}

std::uint64_t gemm_addresses::piece_offset(const tile_copy& copy, unsigned index, std::uint64_t pitch) const {
  const unsigned byte = index * plan_.threads * copy.piece_bytes;
  return byte / plan_.k_bytes * pitch + byte % plan_.k_bytes;
}

/// The warps of a CTA count along m first.
void gemm_addresses::add_warps(linear_address& address, std::uint32_t along_m, std::uint32_t along_n) const {
  address.add_bits(log2_of(plan_.tiling.warps_m), along_m);
  address.add_bits(log2_of(plan_.tiling.warps_n), along_n);
}

/// As wide as the number of registers allows; LDS loads what a lane has of one matrix step.
fragment_loads gemm_addresses::loads_of(unsigned steps, unsigned registers) const {
  const unsigned all = steps * registers;
  if (!plan_.step.loads_matrices) return {registers, steps};
  const unsigned width = all % 4 == 0 ? 4 : all % 2 == 0 ? 2 : 1;
  return {width, all / width};
}

linear_address gemm_addresses::load_address(isa::fragment which, std::uint64_t base) const {
  linear_address address(base, 0, 0);
  if (plan_.step.loads_matrices) {
    address.add_bits(matrix_row_bits, plan_.pitch_bytes);
    const unsigned width = (which == isa::fragment::a ? a_fragments : b_fragments).registers;
    address.add_bits(1, width > 1 ? register_offset(which, 1) : 0);
    address.add_bits(1, width > 2 ? register_offset(which, 2) : 0);
    return address;
  }
  const isa::fragment_layout& layout = which == isa::fragment::a ? plan_.step.a : plan_.step.b;
  for (unsigned bit = 0; bit < isa::linear_layout::lane_bits; ++bit)
    address.add_bits(1, fragment_offset(which, layout.position(1u << bit, 0, 0)));
  return address;
}

std::uint64_t gemm_addresses::load_offset(isa::fragment which, unsigned index) const {
  return register_offset(which, index * (which == isa::fragment::a ? a_fragments : b_fragments).registers);
}

/// Where lane 0 finds the `reg`th of its registers of a fragment in the warp's part of a tile. Every register of a matrix step is one 8x8
/// matrix of 16-bit pairs for LDSM.
std::uint32_t gemm_addresses::register_offset(isa::fragment which, unsigned reg) const {
  const bool is_a = which == isa::fragment::a;
  const unsigned registers = is_a ? plan_.step.a_registers : plan_.step.b_registers, rows = is_a ? plan_.step.m : plan_.step.n;
  const isa::fragment_layout& layout = is_a ? plan_.step.a : plan_.step.b;
  return reg / registers * rows * plan_.pitch_bytes + fragment_offset(which, layout.position(0, reg % registers, 0));
}

std::uint32_t gemm_addresses::fragment_offset(isa::fragment which, isa::matrix_position position) const {
  const unsigned line = which == isa::fragment::a ? position.row : position.column;
  const unsigned k = which == isa::fragment::a ? position.column : position.row;
  return line * plan_.pitch_bytes + k * plan_.problem.element_bits() / 8;
}

std::uint64_t gemm_addresses::result_offset(unsigned i, unsigned j, unsigned reg) const {
  const isa::matrix_position first{i * plan_.step.m, j * plan_.step.n, 0};
  return result_offset(first + plan_.step.d.position(0, reg, 0));
}

unsigned gemm_addresses::result_run(unsigned reg) const {
  const auto is_run = [&](unsigned width) {
    if (reg % width != 0 || reg + width > plan_.step.d_registers) return false;
    std::uint64_t places =
        d_global.base() | d_global.cta_x_stride() | d_global.cta_y_stride() | result_offset(1, 0, reg) | result_offset(0, 1, reg);
    for (const linear_address::field& field : d_global.fields()) places |= field.stride;
    for (unsigned next = 1; next < width; ++next)
      if (result_offset(0, 0, reg + next) != result_offset(0, 0, reg) + next * element_register_bytes) return false;
    return places % (width * element_register_bytes) == 0;
  };
  return is_run(4) ? 4 : is_run(2) ? 2 : 1;
}

std::uint32_t gemm_addresses::result_offset(isa::matrix_position position) const {
  return (position.row * plan_.problem.n + position.column) * plan_.problem.result_bytes();
}

}  // namespace tc::kernels
