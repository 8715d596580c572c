// SPDX-License-Identifier: Apache-2.0
#include "operand_widths.hpp"

namespace tc::isa {
namespace {

unsigned access_registers(const modifiers& mods) {
  const unsigned bits_accessed = mods.first_format == element_type::f64 || is_64_bit(mods.type) ? 64 : mods.access_bits;
  return bits_accessed <= 32 ? 1 : bits_accessed / 32;
}

unsigned format_registers(element_type format) { return format == element_type::f64 ? 2 : 1; }
unsigned integer_registers(const modifiers& mods) { return is_64_bit(mods.type) ? 2 : 1; }

/// The addend of IMAD.WIDE is 64 bits wide, and so is that of IMAD.HI, whose result is the upper half of the 64-bit sum.
unsigned multiply_add_source(const instruction& i, unsigned source) {
  constexpr unsigned addend = 2;
  return source == addend && (i.mods.wide || i.mods.high) ? 2 : 1;
}

unsigned matrix_source(const mma_operation& mma, unsigned source) {
  switch (source) {
    case 0:
      return mma.a_registers();
    case 1:
      return mma.b_registers();
    case 2:
      return mma.c_registers();
    default:
      return 1;
  }
}

}  // namespace

unsigned destination_registers(const instruction& i) {
  switch (info(i.op).widths) {
    case width_rule::fp64:
    case width_rule::code_address:
      return 2;
    case width_rule::integer_pair:
    case width_rule::multiply_add:
      return i.mods.wide ? 2 : 1;
    case width_rule::float_to_integer:
      return integer_registers(i.mods);
    case width_rule::float_to_float:
    case width_rule::integer_to_float:
    case width_rule::float_to_integral:
      return format_registers(i.mods.first_format);
    case width_rule::clock:
      return i.mods.clock_32 ? 1 : 2;
    case width_rule::load:
    case width_rule::atomic:
      return access_registers(i.mods);
    case width_rule::load_matrix:
      return i.mods.matrices;
    case width_rule::matrix_multiply:
      return i.mma->d_registers();
    default:
      return 1;
  }
}

unsigned source_registers(const instruction& i, unsigned source) {
  switch (info(i.op).widths) {
    case width_rule::fp64:
      return 2;
    case width_rule::integer_pair:
      return i.mods.wide ? 2 : 1;
    case width_rule::multiply_add:
      return multiply_add_source(i, source);
    case width_rule::float_to_float:
      return format_registers(i.mods.second_format);
    case width_rule::integer_to_float:
      return integer_registers(i.mods);
    case width_rule::float_to_integer:
    case width_rule::float_to_integral:
      return format_registers(i.mods.first_format);
    case width_rule::store:
    case width_rule::atomic:
      return access_registers(i.mods);
    case width_rule::store_matrix:
      return i.mods.matrices;
    case width_rule::matrix_multiply:
      return matrix_source(*i.mma, source);
    case width_rule::code_address:
      return 2;
    default:
      return i.op == opcode::match ? integer_registers(i.mods) : 1;
  }
}

predicate_range predicate_sources(opcode op, const modifiers& mods) {
  predicate_range range = info(op).predicates;
  const bool has_upper_word = (op == opcode::lea || op == opcode::ulea) && mods.high && !mods.sign_extend;
  if (has_upper_word) ++range.first;
  return range;
}

}  // namespace tc::isa
