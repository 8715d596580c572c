// SPDX-License-Identifier: Apache-2.0
#include "wmma_problem.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <tc/isa/ptx_shapes.hpp>
#include <tc/isa/wmma_layout.hpp>
#include <tc/numerics/number_format.hpp>

namespace tc::kernels::test {
namespace {

using isa::element_type;
using isa::fragment;

std::uint64_t pattern_of(double value, element_type type) {
  const numerics::number_format& format = isa::format_of(type == element_type::tf32 ? element_type::f32 : type);
  if (format.is_floating_point()) return numerics::encode(value, format);
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(value)) & format.storage_mask();
}

/// A small value that tells neighbours apart.
double value_at(unsigned row, unsigned column, unsigned salt, element_type type) {
  const int number = static_cast<int>((5 * row + 3 * column + row * column + salt) % 9);
  if (type == element_type::b1) return number % 2;
  if (type == element_type::u4 || type == element_type::u8) return number;
  const bool is_integer = type == element_type::s4 || type == element_type::s8 || type == element_type::s32;
  return is_integer ? number - 4 : (number - 4) * 0.5;
}

/// What a factor contributes to one sum.
double product(double a, double b, const isa::mma_operation& mma) {
  if (mma.combine == isa::bit_operation::exclusive_or) return a != b ? 1 : 0;
  return a * b;
}

std::string list_of(unsigned first, unsigned count) {
  std::string text;
  for (unsigned i = 0; i < count; ++i) text += fmt::format("{}R{}", i == 0 ? "" : ", ", first + i);
  return "{" + text + "}";
}

std::string order(bool by_columns) { return by_columns ? "col" : "row"; }

constexpr unsigned a_register = 8, b_register = 16, c_register = 24, d_register = 32;

}  // namespace

std::uint64_t stored_matrix::bytes() const {
  const unsigned lines = by_columns ? columns : rows;
  return lines * stride * bits(type) / 8;
}

std::string stored_matrix::hex() const {
  std::vector<std::uint32_t> words(bytes() / 4);
  const numerics::number_format& format = isa::format_of(type == element_type::tf32 ? element_type::f32 : type);
  for (unsigned row = 0; row < rows; ++row) {
    for (unsigned column = 0; column < columns; ++column) {
      const std::uint64_t place = by_columns ? column * stride + row : row * stride + column;
      numerics::set_packed_element(words.data(), place, format, pattern_of(at(row, column), type));
    }
  }
  std::string digits;
  for (const std::uint32_t word : words)
    for (unsigned byte = 0; byte < 4; ++byte) digits += fmt::format("{:02x}", word >> (8 * byte) & 0xffU);
  return digits;
}

wmma_problem::wmma_problem(const isa::mma_operation& mma, isa::architecture arch, std::uint64_t first_address)
    : mma_(mma), arch_(arch), next_address_(first_address) {
  const bool has_orders = bits(mma.a) > 4;
  for (const bool a_column : {false, true})
    for (const bool b_column : {false, true})
      if (has_orders || (!a_column && b_column)) add_product(a_column, b_column, a_column, b_column);
  add_product(false, true, true, false);
}

stored_matrix wmma_problem::make_matrix(fragment which, bool by_columns) {
  const isa::fragment_layout layout = *isa::wmma_layout(mma_, which, arch_);
  stored_matrix matrix{layout.rows(), layout.columns(), isa::type_of(mma_, which), by_columns, next_address_, 0, {}};
  // One fragment more than a row needs: the gap must stay as it is.
  const unsigned unit = 32 * layout.registers() / bits(matrix.type), line = by_columns ? matrix.rows : matrix.columns;
  matrix.stride = (line + unit - 1) / unit * unit + unit;
  for (unsigned row = 0; row < matrix.rows; ++row)
    for (unsigned column = 0; column < matrix.columns; ++column)
      matrix.values.push_back(value_at(row, column, static_cast<unsigned>(which) + products_, matrix.type));
  next_address_ += (matrix.bytes() + 0xffU) & ~std::uint64_t{0xff};
  return matrix;
}

std::string wmma_problem::transfer(const std::string& action, const stored_matrix& matrix, const std::string& registers) const {
  const bool is_store = action == "store.d";
  const std::string address = fmt::format("[{:#x}]", matrix.address);
  return fmt::format("wmma.{}.sync.aligned.{}.{}.global.{} {}, {}, {}\n", action, order(matrix.by_columns),
                     isa::shape_name(mma_.m, mma_.n, mma_.k), isa::name(matrix.type), is_store ? address : registers,
                     is_store ? registers : address, matrix.stride);
}

void wmma_problem::add_product(bool a_column, bool b_column, bool c_column, bool d_column) {
  mma_.a_column = a_column;
  mma_.b_column = b_column;
  const stored_matrix a = make_matrix(fragment::a, a_column), b = make_matrix(fragment::b, b_column),
                      c = make_matrix(fragment::c, c_column);
  stored_matrix d = make_matrix(fragment::d, d_column);
  for (unsigned row = 0; row < d.rows; ++row) {
    for (unsigned column = 0; column < d.columns; ++column) {
      d.at(row, column) = c.at(row, column);
      for (unsigned k = 0; k < mma_.k; ++k) d.at(row, column) += product(a.at(row, k), b.at(k, column), mma_);
    }
  }
  for (const stored_matrix* matrix : {&a, &b, &c})
    memory_ += fmt::format("memory {:#x} {} hex {}\n", matrix->address, matrix->bytes(), matrix->hex());
  memory_ += fmt::format("memory {:#x} {} zero\nexpect {:#x} {} hex {}\n", d.address, d.bytes(), d.address, d.bytes(), d.hex());

  const auto count = [&](fragment which) { return isa::wmma_layout(mma_, which, arch_)->registers(); };
  // In place every other time, as compilers have it in loops.
  const bool in_place = products_++ % 2 == 1;
  const std::string in_a = list_of(a_register, count(fragment::a)), in_b = list_of(b_register, count(fragment::b)),
                    in_c = list_of(c_register, count(fragment::c)), in_d = list_of(in_place ? c_register : d_register, count(fragment::d));
  code_ += transfer("load.a", a, in_a) + transfer("load.b", b, in_b) + transfer("load.c", c, in_c);
  const std::string orders = order(a_column) + "." + order(b_column), shape = isa::shape_name(mma_.m, mma_.n, mma_.k);
  const std::string combine = mma_.combine == isa::bit_operation::exclusive_or  ? ".xor.popc"
                              : mma_.combine == isa::bit_operation::conjunction ? ".and.popc"
                                                                                : "";
  const std::string types = mma_.a == element_type::f16
                                ? fmt::format("{}.{}", isa::name(mma_.d), isa::name(mma_.c))
                                : fmt::format("{}.{}.{}.{}", isa::name(mma_.d), isa::name(mma_.a), isa::name(mma_.b), isa::name(mma_.c));
  code_ += fmt::format("wmma.mma{}.sync.aligned.{}.{}.{} {}, {}, {}, {}\n", combine, orders, shape, types, in_d, in_a, in_b, in_c);
  code_ += transfer("store.d", d, in_d);
}

std::string trace_of_all_shapes(isa::architecture arch, element_type type) {
  std::string memory, code;
  std::uint64_t address = 0x10000;
  for (const isa::ptx_shape& shape : isa::ptx_shapes()) {
    if (shape.instruction != isa::ptx_instruction::wmma || !shape.takes(type) || !shape.architectures.contains(arch)) continue;
    for (const element_type d : shape.accumulators) {
      for (const element_type c : shape.accumulators) {
        if (c != d && d == element_type::f16 && arch == isa::architecture::sm_70) continue;  // refused: lanes would have to exchange sums
        isa::mma_operation mma;
        mma.m = shape.m;
        mma.n = shape.n;
        mma.k = shape.k;
        mma.a = mma.b = type;
        mma.c = c;
        mma.d = d;
        mma.combine = shape.combine;
        const wmma_problem problem(mma, arch, address);
        memory += problem.memory();
        code += problem.code();
        address = problem.next_address();
      }
    }
  }
  return fmt::format("tcsim-trace 1\narch {}\nkernel wmma\ngrid 1 1 1\nblock 32 1 1\nregisters 40\n{}cta 0 0 0\nwarp 0\n{}/*0000*/ EXIT\n",
                     isa::name(arch), memory, code);
}

}  // namespace tc::kernels::test
