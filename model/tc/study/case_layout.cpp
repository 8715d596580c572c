// SPDX-License-Identifier: Apache-2.0
#include "case_layout.hpp"

#include <algorithm>

namespace tc::study {
namespace {

using numerics::number_format;

/// `value` moved by `left` places towards the high bits.
constexpr std::uint32_t shifted(std::uint32_t value, int left) { return left >= 0 ? value << left : value >> -left; }

constexpr unsigned words_per_element(const number_format& format) { return std::max(1U, format.storage_bits / 32); }

vector_operand operand_of(isa::fragment which) {
  switch (which) {
    case isa::fragment::a:
      return vector_operand::a;
    case isa::fragment::b:
      return vector_operand::b;
    case isa::fragment::c:
      return vector_operand::c;
    case isa::fragment::d:
      break;
  }
  return vector_operand::d;
}

}  // namespace

case_layout::case_layout(const vector_header& header) {
  if (header.kind == vector_kind::dots)
    add_dot(header);
  else if (header.operation.family == instruction_family::wgmma)
    add_warpgroup(header);
  else
    add_warp(header);
}

void case_layout::add_dot(const vector_header& header) {
  const auto add_line = [&](vector_operand which, unsigned elements) {
    const unsigned words = words_per_element(shape_of(header, which).format);
    for (unsigned i = 0; i < elements; ++i, stored_words_ += words) add_element(header, which, 0, 0, i, {stored_words_, 0});
  };
  add_line(vector_operand::a, header.operation.k);
  add_line(vector_operand::b, header.operation.k);
  add_line(vector_operand::scale_a, header.scales());
  add_line(vector_operand::scale_b, header.scales());
  add_line(vector_operand::c, 1);
  add_line(vector_operand::d, 1);
}

void case_layout::add_warp(const vector_header& header) {
  const register_counts registers = registers_of(header.operation);
  const unsigned stride = registers.a + registers.b + registers.c + registers.d;
  add_fragment(header, isa::fragment::a, {0, stride});
  add_fragment(header, isa::fragment::b, {registers.a, stride});
  add_fragment(header, isa::fragment::c, {registers.a + registers.b, stride});
  add_fragment(header, isa::fragment::d, {registers.a + registers.b + registers.c, stride});
  stored_words_ = isa::fragment_layout::lanes * stride;
}

void case_layout::add_warpgroup(const vector_header& header) {
  const operand_shape b = shape_of(header, vector_operand::b);
  for (unsigned column = 0; column < b.lines; ++column)
    for (unsigned w = 0; w < b.words_per_line; ++w)
      add_move(vector_operand::b, {column * b.words_per_line + w, b.place(0, column, w), ~std::uint32_t{0}, 0});

  constexpr unsigned warps = 4;
  const isa::mma_operation& part = header.operation.fragments;
  const register_counts registers = registers_of(header.operation);
  const unsigned stride = registers.a + registers.c + registers.d;
  for (unsigned warp = 0; warp < warps; ++warp) {
    const unsigned first = registers.b + warp * isa::fragment_layout::lanes * stride;
    const unsigned first_row = warp * part.m;
    add_fragment(header, isa::fragment::a, {first, stride, first_row});
    for (unsigned block = 0; block < header.operation.n / part.n; ++block) {
      const unsigned column = block * part.n;
      const unsigned c = first + registers.a + block * part.c_registers(),
                     d = first + registers.a + registers.c + block * part.d_registers();
      add_fragment(header, isa::fragment::c, {c, stride, first_row, column});
      add_fragment(header, isa::fragment::d, {d, stride, first_row, column});
    }
  }
  stored_words_ = registers.b + warps * isa::fragment_layout::lanes * stride;
}

void case_layout::add_fragment(const vector_header& header, isa::fragment which, const warp_registers& where) {
  const isa::fragment_layout layout(header.operation.fragments, which);
  const vector_operand operand = operand_of(which);
  const unsigned element_bits = shape_of(header, operand).format.storage_bits;
  for (unsigned lane = 0; lane < isa::fragment_layout::lanes; ++lane) {
    for (unsigned reg = 0; reg < layout.registers(); reg += layout.registers_per_element()) {
      for (unsigned i = 0; i < layout.elements_per_register(); ++i) {
        const isa::matrix_position at = layout.position(lane, reg, i);
        const stored_element from{where.first + lane * where.stride + reg, i * element_bits};
        const unsigned row = where.first_row + at.row, column = where.first_column + at.column;
        if (which == isa::fragment::a) {
          add_element(header, operand, at.matrix, row, column, from);
        } else if (which == isa::fragment::b) {
          add_element(header, operand, at.matrix, column, row, from);
        } else {
          add_element(header, operand, at.matrix, column * header.rows() + row, 0, from);
        }
      }
    }
  }
}

void case_layout::add_element(const vector_header& header, vector_operand which, unsigned matrix, unsigned line, unsigned index,
                              stored_element from) {
  const operand_shape shape = shape_of(header, which);
  const unsigned bit = index * shape.format.storage_bits;
  const auto mask = static_cast<std::uint32_t>(shape.format.storage_mask());
  for (unsigned w = 0; w < words_per_element(shape.format); ++w)
    add_move(which, {from.word + w, shape.place(matrix, line, bit / 32 + w), mask << from.bit,
                     static_cast<int>(bit % 32) - static_cast<int>(from.bit)});
}

void case_layout::add_move(vector_operand which, const bit_move& move) {
  if (used_bits_.size() <= move.stored) {
    used_bits_.resize(move.stored + 1, 0);
    operands_.resize(move.stored + 1, which);
  }
  used_bits_[move.stored] |= move.mask;
  operands_[move.stored] = which;
  auto& moves = moves_[static_cast<unsigned>(which)];
  if (!moves.empty()) {  // neighbours in a register are mostly neighbours in a row: move them together
    bit_move& last = moves.back();
    if (last.stored == move.stored && last.place == move.place && last.left == move.left) {
      last.mask |= move.mask;
      return;
    }
  }
  moves.push_back(move);
}

void case_layout::gather(const std::uint32_t* stored, vector_case& values) const {
  for (unsigned i = 0; i < vector_operands; ++i) {
    auto& words = words_of(values, static_cast<vector_operand>(i));
    std::fill(words.begin(), words.end(), 0);
    for (const bit_move& move : moves_[i]) words[move.place] |= shifted(stored[move.stored] & move.mask, move.left);
  }
}

void case_layout::scatter(const vector_case& values, std::uint32_t* stored) const {
  std::fill(stored, stored + stored_words_, 0);
  for (unsigned i = 0; i < vector_operands; ++i) {
    const auto& words = words_of(values, static_cast<vector_operand>(i));
    for (const bit_move& move : moves_[i]) stored[move.stored] |= shifted(words[move.place], -move.left) & move.mask;
  }
}

}  // namespace tc::study
