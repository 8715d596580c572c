// SPDX-License-Identifier: Apache-2.0
#include "tensor_mma_bench.hpp"

#include <algorithm>
#include <cstring>

#include <gtest/gtest.h>

namespace tc::engine::test {
namespace {

constexpr std::uint32_t shared_bytes = 0x20000, a_start = 0x400, b_start = 0x10000;

/// Matrices without gaps: K-major ones as wide as their swizzle, MN-major ones as high as K.
std::uint64_t describe(std::uint32_t start, isa::matrix_major major, isa::swizzle_mode swizzle, unsigned row_bytes, unsigned k) {
  isa::matrix_descriptor descriptor;
  descriptor.start = start;
  descriptor.swizzle = swizzle;
  const unsigned line = isa::row_bytes(swizzle), lines = swizzle == isa::swizzle_mode::bytes_128_atom_32 ? 4 : 8;
  const bool swizzled = swizzle != isa::swizzle_mode::none;
  if (major == isa::matrix_major::k) {
    descriptor.leading_bytes = swizzled ? 16 : 128;
    descriptor.stride_bytes = swizzled ? 8 * line : 8 * row_bytes;
  } else {
    descriptor.leading_bytes = swizzled ? k * line : 128;
    descriptor.stride_bytes = swizzled ? lines * line : k * line;
  }
  return isa::encode(descriptor, isa::architecture::sm_100);
}

void set_bits(std::uint8_t* bytes, unsigned first, unsigned width, std::uint32_t bits) {
  for (unsigned i = 0; i < width; ++i) {
    std::uint8_t& byte = bytes[(first + i) / 8];
    const unsigned mask = 1U << (first + i) % 8;
    byte = static_cast<std::uint8_t>((byte & ~mask) | ((bits >> i & 1) != 0 ? mask : 0));
  }
}

void set_field(std::uint32_t& cell, unsigned first, unsigned width, std::uint32_t bits) {
  const std::uint32_t mask = (width == 32 ? ~0U : (1U << width) - 1) << first;
  cell = (cell & ~mask) | (bits << first & mask);
}

/// Bits of an element that shares no byte with padding; those of 6 bits take 6.
unsigned significant_bits(isa::element_type type) {
  return type == isa::element_type::e2m3 || type == isa::element_type::e3m2 ? 6 : isa::bits(type);
}

}  // namespace

isa::tensor_mma_operation make_operation(const isa::mma_form& form, const isa::instruction_descriptor& descriptor, bool a_in_tensor_memory,
                                         isa::swizzle_mode swizzle) {
  isa::tensor_mma_operation operation;
  operation.form = form;
  operation.descriptor = isa::encode(descriptor, form);
  operation.a_in_tensor_memory = a_in_tensor_memory;
  operation.a_address = isa::encode(isa::tensor_address{0, 300});
  operation.metadata = isa::encode(isa::tensor_address{0, 310});
  operation.scale_a = isa::encode(isa::tensor_address{0, 320});
  operation.scale_b = isa::encode(isa::tensor_address{0, 330});
  const auto matrix = [&](std::uint32_t start, isa::matrix_major major, bool sparse) {
    const bool atoms = major == isa::matrix_major::mn && form.kind == isa::mma_kind::tf32;
    return describe(start, major, atoms ? isa::swizzle_mode::bytes_128_atom_32 : swizzle, sparse ? 64 : 32, isa::mma_k(form.kind, sparse));
  };
  operation.a_descriptor = matrix(a_start, descriptor.a_major, false);
  operation.b_descriptor = matrix(b_start, descriptor.b_major, form.sparse);
  return operation;
}

tensor_mma_bench::tensor_mma_bench(const isa::tensor_mma_operation& operation) : plan_(operation) {
  for (unsigned cta = 0; cta < plan_.ctas(); ++cta) {
    shared_.at(cta).assign(shared_bytes, 0xa5);
    cells_.at(cta).reset({0, isa::tensor_columns});
    for (unsigned chunk = 0; chunk < isa::tensor_chunks; ++chunk) {
      std::fill_n(cells_.at(cta).chunk(chunk), isa::tensor_columns * isa::chunk_lanes, 0xa5a5a5a5 + chunk);
    }
  }
}

void tensor_mma_bench::set_a(unsigned row, unsigned k, std::uint32_t bits) {
  const isa::element_type type = plan_.descriptor().a;
  if (!plan_.a()) {
    const unsigned rows = plan_.m() / plan_.ctas();
    return put(shared_.at(row / rows), *plan_.shared_a(), type, {row % rows, k}, bits);
  }
  const unsigned shift = plan_.a()->element_bits() == 8 ? isa::bit_in_byte(type) : 0;
  for (const isa::operand_cell& place : plan_.a()->cells({row, k})) {
    std::uint32_t& cell = cells_.at(place.cell.cta).cell(place.cell.address);
    set_field(cell, place.bit + shift, significant_bits(type), bits);
  }
}

void tensor_mma_bench::set_b(unsigned column, unsigned k, std::uint32_t bits) {
  const unsigned share = plan_.n() / plan_.ctas(), cta = plan_.ctas() == 1 ? 0 : column / share;
  put(shared_.at(cta), plan_.shared_b(), plan_.descriptor().b, {column - cta * share, k}, bits);
}

void tensor_mma_bench::put(memory& shared, const shared_operand& operand, isa::element_type type, isa::matrix_place place,
                           std::uint32_t bits) const {
  const unsigned width = significant_bits(type);
  if (operand.decompression != isa::tensor_copy_decompression::none) {
    const bool along_k = operand.major == isa::matrix_major::k;
    const unsigned number = (along_k ? place.k : place.row) % 16;
    (along_k ? place.k : place.row) -= number;
    return set_bits(&shared.at(operand.place.address(place)), number * width, width, bits);
  }
  if (width == 4) return set_bits(&shared.at(operand.place.address({place.row, place.k / 2})), place.k % 2 * 4, 4, bits);
  set_bits(&shared.at(operand.place.address(place)), 0, width, bits);
}

void tensor_mma_bench::set_c(unsigned row, unsigned column, std::uint32_t bits) {
  const isa::tensor_cell place = plan_.d().cell({row, column});
  set_field(cells_.at(place.cta).cell(place.address), 0, isa::bits(plan_.descriptor().d), bits);
}

void tensor_mma_bench::set_scale_a(unsigned row, unsigned block, std::uint32_t bits) {
  const unsigned rows = plan_.m() / plan_.ctas();
  for (unsigned copy = 0; copy < plan_.scale_a()->copies(); ++copy) {
    const isa::tensor_byte place = plan_.scale_a()->at({row % rows, block}, copy);
    set_field(cells_.at(row / rows).cell(place.address), 8 * place.byte, 8, bits);
  }
}

void tensor_mma_bench::set_scale_b(unsigned column, unsigned block, std::uint32_t bits) {
  for (unsigned cta = 0; cta < plan_.ctas(); ++cta) {
    for (unsigned copy = 0; copy < plan_.scale_b()->copies(); ++copy) {
      const isa::tensor_byte place = plan_.scale_b()->at({column, block}, copy);
      set_field(cells_.at(cta).cell(place.address), 8 * place.byte, 8, bits);
    }
  }
}

void tensor_mma_bench::set_code(unsigned row, unsigned group, std::uint32_t code) {
  const unsigned rows = plan_.m() / plan_.ctas();
  const isa::sparsity_code_place place = plan_.metadata()->code(row % rows, group);
  set_field(cells_.at(row / rows).cell(place.address), place.bit, 4, code);
}

const std::uint32_t* tensor_mma_bench::read(const memory& shared, const shared_operand& operand, operand_matrix& matrix) {
  matrix.begin(operand, true);
  for (unsigned core = 0; core < matrix.cores(); ++core) {
    for (unsigned line = 0; line < isa::shared_matrix::core_lines; ++line) {
      std::memcpy(matrix.line(core, line), &shared.at(operand.place.unit_address(core, line)), isa::shared_matrix::unit_bytes);
    }
  }
  return matrix.rows();
}

cell_block tensor_mma_bench::block(isa::column_range columns, unsigned cta) const {
  cell_block part(columns);
  for (unsigned chunk = 0; chunk < isa::tensor_chunks; ++chunk) {
    const std::uint32_t* const from = cells_.at(cta).chunk(chunk) + std::size_t{columns.first} * isa::chunk_lanes;
    std::copy_n(from, columns.count * isa::chunk_lanes, part.chunk(chunk));
  }
  return part;
}

void tensor_mma_bench::take(const cell_block& d, unsigned cta) {
  const isa::tensor_cells written = plan_.cells(tensor_operand::d, cta).at(0);
  for (unsigned lane = 0; lane < isa::tensor_lanes; ++lane) {
    for (unsigned column = 0; column < d.columns().count; ++column) {
      const isa::tensor_address address{lane, d.columns().first + column};
      std::uint32_t& old = cells_.at(cta).cell(address);
      if (written.has(lane)) {
        old = d.cell(address);
      } else {
        ASSERT_EQ(d.cell(address), old) << "lane " << lane << ", column " << column;
      }
    }
  }
}

void tensor_mma_bench::multiply(tensor_multiplier& multiplier, unsigned columns_at_once) {
  std::array<operand_matrix, 2> b;
  tensor_mma_inputs inputs;
  for (unsigned cta = 0; cta < plan_.ctas(); ++cta) inputs.b.at(cta) = read(shared_.at(cta), plan_.shared_b(), b.at(cta));
  for (unsigned cta = 0; cta < plan_.ctas(); ++cta) {
    operand_matrix a;
    if (plan_.shared_a()) inputs.a = read(shared_.at(cta), *plan_.shared_a(), a);
    const auto operand = [this, cta](tensor_operand which) { return block(plan_.columns(which), cta); };
    const cell_block a_cells = operand(tensor_operand::a), metadata = operand(tensor_operand::metadata),
                     scale_a = operand(tensor_operand::scale_a), scale_b = operand(tensor_operand::scale_b);
    if (plan_.a()) inputs.a_cells = &a_cells;
    inputs.metadata = &metadata;
    inputs.scale_a = &scale_a;
    inputs.scale_b = &scale_b;
    const isa::column_range columns = plan_.columns(tensor_operand::d);
    for (unsigned first = 0; first < columns.count; first += columns_at_once) {
      cell_block d = block({columns.first + first, std::min(columns.count - first, columns_at_once)}, cta);
      multiplier.multiply(plan_, cta, inputs, d);
      ASSERT_NO_FATAL_FAILURE(take(d, cta));
    }
  }
}

std::uint32_t tensor_mma_bench::d(unsigned row, unsigned column) const {
  const isa::tensor_cell place = plan_.d().cell({row, column});
  return cells_.at(place.cta).cell(place.address);
}

}  // namespace tc::engine::test
