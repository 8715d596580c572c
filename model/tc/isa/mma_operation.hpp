// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include <tc/isa/architecture.hpp>
#include <tc/isa/element_type.hpp>
#include <tc/isa/opcode.hpp>
#include <tc/isa/warp_lanes.hpp>

namespace tc::isa {

/// How a BMMA combines the bits of A and B before it counts the ones.
enum class bit_operation : std::uint8_t { none, exclusive_or, conjunction };

/// One warp-wide matrix multiply-accumulate D = A x B + C of registers: A is m x k, B is k x n, C and D are m x n. Shapes and element types
/// follow the PTX ISA (mma.sync).
struct mma_operation {
  std::uint16_t m = 0, n = 0, k = 0;
  element_type a = element_type::none, b = element_type::none;
  element_type c = element_type::none, d = element_type::none;
  bool saturate = false;  ///< .SAT: an integer sum is clamped to 32 bits instead of wrapped
  bit_operation combine = bit_operation::none;
  bool a_column = false, b_column = true;  ///< .COL: a lane holds a column; only HMMA.884 has a choice
  std::uint8_t step = 0;                   ///< HMMA.884: part of the outputs that this instruction computes
  std::uint8_t steps = 1;                  ///< HMMA.884: instructions that make up one set: 4 with f32, 2 with f16
  /// Instances of the shape that a warp computes: HMMA.884 is four independent 8x8x4, one for each quad pair, other operations one.
  std::uint8_t instances = 1;

  /// Registers of a lane that hold the operand. For HMMA.884, C and D of one step; two steps share a pair of C in f16 where D is f32.
  constexpr unsigned a_registers() const { return registers(m * k * bits(a)); }
  constexpr unsigned b_registers() const { return registers(k * n * bits(b)); }
  constexpr unsigned c_registers() const { return registers(m * n * bits(c) / c_parts()); }
  /// Parts of C that a set of HMMA.884 takes, one after the other: as many as it has steps, or half of them. One for a whole operation.
  constexpr unsigned c_parts() const { return c == d || steps == 1 ? steps : steps / 2u; }
  constexpr unsigned d_registers() const { return registers(m * n * bits(d) / steps); }

 private:
  constexpr unsigned registers(unsigned matrix_bits) const { return instances * matrix_bits / (lanes_per_warp * register_bits); }
};

}  // namespace tc::isa
