// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tc/isa/architecture.hpp>
#include <tc/isa/element_type.hpp>
#include <tc/isa/mma_operation.hpp>

namespace tc::isa {

/// The two PTX instructions that multiply matrices in the registers of a warp.
enum class ptx_instruction : std::uint8_t { mma_sync, wmma };

/// "mma.sync" or "wmma".
std::string_view name(ptx_instruction instruction);

/// A shape of a PTX instruction for elements of one kind, and the architectures whose compilers take it: sometimes more than the hardware
/// computes itself (PTX ISA, sections on wmma.mma and mma, "Target ISA Notes").
struct ptx_shape {
  ptx_instruction instruction;
  std::uint16_t m, n, k;
  std::vector<element_type> multiplicands;  ///< element types of A and B; A and B of wmma have the same one
  std::vector<element_type> accumulators;   ///< element types of C and D
  architecture_range architectures;
  bit_operation combine = bit_operation::none;
  bool has_orders = false;  ///< A and B may each be .row or .col; otherwise A is .row and B is .col

  bool takes(element_type multiplicand) const;
};

/// All shapes, those of mma.sync first.
const std::vector<ptx_shape>& ptx_shapes();

/// "m16n8k16".
std::string shape_name(unsigned m, unsigned n, unsigned k);

struct shape_numbers {
  unsigned m = 0, n = 0, k = 0;
};

/// "m16n8k16" taken apart; nothing if it is no shape.
std::optional<shape_numbers> parse_shape(std::string_view text);

}  // namespace tc::isa
