// SPDX-License-Identifier: Apache-2.0
#include "ptx_shapes.hpp"

#include <algorithm>
#include <charconv>
#include <system_error>
#include <utility>

#include <tc/isa/matrix_shapes.hpp>

namespace tc::isa {
namespace {

using type = element_type;
using types = std::vector<element_type>;

/// The shapes of one instruction that elements of one kind have.
struct shape_maker {
  ptx_instruction instruction;
  types multiplicands, accumulators;

  ptx_shape operator()(std::uint16_t m, std::uint16_t n, std::uint16_t k, architecture first) const {
    return {instruction, m, n, k, multiplicands, accumulators, architecture_range::from(first)};
  }
};

ptx_shape with_orders(ptx_shape shape) {
  shape.has_orders = true;
  return shape;
}

ptx_shape with(bit_operation combine, ptx_shape shape) {
  shape.combine = combine;
  return shape;
}

/// Those of the hardware. Later architectures compute what they no longer have by other instructions.
std::vector<ptx_shape> mma_sync_shapes() {
  std::vector<ptx_shape> shapes;
  for (const matrix_shape& row : hardware_matrix_shapes()) {
    const element_kind& kind = element_kind_of(row.elements);
    const auto is_same = [&](const ptx_shape& each) {
      return each.m == row.m && each.n == row.n && each.k == row.k && each.combine == row.combine && each.takes(row.elements);
    };
    if (std::any_of(shapes.begin(), shapes.end(), is_same)) continue;
    const shape_maker make{ptx_instruction::mma_sync, kind.multiplicands, kind.accumulators};
    shapes.push_back(with(row.combine, make(row.m, row.n, row.k, row.architectures.first)));
    shapes.back().has_orders = isa::info(row.architectures.first).octet_steps;
  }
  return shapes;
}

std::vector<ptx_shape> wmma_shapes() {
  constexpr auto wmma = ptx_instruction::wmma;
  using arch = architecture;
  const shape_maker f16{wmma, {type::f16}, {type::f32, type::f16}}, bf16{wmma, {type::bf16}, {type::f32}},
      tf32{wmma, {type::tf32}, {type::f32}}, f64{wmma, {type::f64}, {type::f64}}, s8{wmma, {type::s8, type::u8}, {type::s32}},
      s4{wmma, {type::s4, type::u4}, {type::s32}}, b1{wmma, {type::b1}, {type::s32}};
  std::vector<ptx_shape> shapes;
  for (const auto& [kind, first] : {std::pair{f16, arch::sm_70}, std::pair{bf16, arch::sm_80}, std::pair{s8, arch::sm_75}}) {
    shapes.push_back(with_orders(kind(16, 16, 16, first)));
    shapes.push_back(with_orders(kind(32, 8, 16, first)));
    shapes.push_back(with_orders(kind(8, 32, 16, first)));
  }
  shapes.push_back(with_orders(tf32(16, 16, 8, arch::sm_80)));
  shapes.push_back(with_orders(f64(8, 8, 4, arch::sm_80)));
  shapes.push_back(s4(8, 8, 32, arch::sm_75));
  shapes.push_back(with(bit_operation::exclusive_or, b1(8, 8, 128, arch::sm_75)));
  shapes.push_back(with(bit_operation::conjunction, b1(8, 8, 128, arch::sm_80)));
  return shapes;
}

std::vector<ptx_shape> all_shapes() {
  std::vector<ptx_shape> shapes = mma_sync_shapes();
  const std::vector<ptx_shape> more = wmma_shapes();
  shapes.insert(shapes.end(), more.begin(), more.end());
  return shapes;
}

}  // namespace

std::string_view name(ptx_instruction instruction) { return instruction == ptx_instruction::wmma ? "wmma" : "mma.sync"; }

bool ptx_shape::takes(element_type multiplicand) const {
  return std::find(multiplicands.begin(), multiplicands.end(), multiplicand) != multiplicands.end();
}

const std::vector<ptx_shape>& ptx_shapes() {
  static const std::vector<ptx_shape> shapes = all_shapes();
  return shapes;
}

std::string shape_name(unsigned m, unsigned n, unsigned k) {
  return "m" + std::to_string(m) + "n" + std::to_string(n) + "k" + std::to_string(k);
}

std::optional<shape_numbers> parse_shape(std::string_view text) {
  shape_numbers shape;
  for (const auto& [letter, number] : {std::pair{'m', &shape.m}, std::pair{'n', &shape.n}, std::pair{'k', &shape.k}}) {
    if (text.empty() || text.front() != letter) return std::nullopt;
    const auto [stop, error] = std::from_chars(text.data() + 1, text.data() + text.size(), *number);
    if (error != std::errc{}) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
  }
  if (!text.empty()) return std::nullopt;
  return shape;
}

}  // namespace tc::isa
