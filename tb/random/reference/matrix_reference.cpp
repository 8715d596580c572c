// SPDX-License-Identifier: Apache-2.0
#include "matrix_reference.hpp"

#include <array>
#include <device/canonical_matrix.hpp>

#include <tc/config/make_dot_product.hpp>
#include <tc/isa/fragment_layout.hpp>
#include <tc/numerics/number_format.hpp>

namespace tcsim::random_programs {

namespace isa = tc::isa;
namespace numerics = tc::numerics;
namespace config = tc::config;

namespace {

/// An operand of a lane: its elements follow each other in registers from `first` on.
class lane_fragment {
 public:
  lane_fragment(warp_state& warp, unsigned first, isa::element_type type) : warp_(warp), first_(first), bits_(isa::bits(type)) {}

  std::uint64_t element(unsigned lane, unsigned i) const {
    if (first_ == isa::zero_register) return 0;
    if (bits_ == 64) return std::uint64_t{reg(2 * i + 1, lane)} << 32U | reg(2 * i, lane);
    const unsigned each = 32 / bits_;
    return reg(i / each, lane) >> i % each * bits_ & mask();
  }
  void set(unsigned lane, unsigned i, std::uint64_t value) {
    if (first_ == isa::zero_register) return;
    if (bits_ == 64) {
      warp_.set(first_ + 2 * i, lane, static_cast<std::uint32_t>(value));
      return warp_.set(first_ + 2 * i + 1, lane, static_cast<std::uint32_t>(value >> 32U));
    }
    const unsigned each = 32 / bits_, shift = i % each * bits_;
    const std::uint64_t kept = reg(i / each, lane) & ~(mask() << shift);
    warp_.set(first_ + i / each, lane, static_cast<std::uint32_t>(kept | (value & mask()) << shift));
  }

 private:
  std::uint64_t mask() const { return ~std::uint64_t{0} >> (64 - bits_); }
  std::uint32_t reg(unsigned i, unsigned lane) const { return warp_.registers.at(first_ + i).at(lane); }

  warp_state& warp_;
  unsigned first_, bits_;
};

struct place {
  unsigned row, column;
};

/// Element `i` of a lane in A or, with row and column exchanged, in B (fragment figures of the PTX ISA, section on mma): four neighbouring
/// lanes share eight rows, and of their `rows` those eight below come before the next k.
place multiplicand_place(unsigned lane, unsigned i, unsigned rows, isa::element_type type) {
  const unsigned run = isa::bits(type) >= 32 ? 1 : 32 / isa::bits(type);
  const unsigned reg = i / run, tiles = rows / 8;
  return {lane / 4 + 8 * (reg % tiles), reg / tiles * 4 * run + lane % 4 * run + i % run};
}

/// Element `i` of a lane in C and D.
place accumulator_place(unsigned lane, unsigned i) { return {lane / 4 + 8 * (i / 2), lane % 4 * 2 + i % 2}; }

/// Rows of packed elements.
class packed_rows {
 public:
  packed_rows(unsigned rows, unsigned k, isa::element_type type)
      : format_(isa::format_of(type)), words_(numerics::words_for(k, format_)), data_(std::size_t{rows} * words_) {}

  void set(unsigned row, unsigned k, std::uint64_t value) {
    numerics::set_packed_element(&data_[std::size_t{row} * words_], k, format_, value);
  }
  const std::uint32_t* row(unsigned row) const { return &data_.at(std::size_t{row} * words_); }

 private:
  numerics::number_format format_;
  unsigned words_;
  std::vector<std::uint32_t> data_;
};

numerics::dot_product_operation operation_of(const isa::mma_operation& mma) {
  using operation = numerics::dot_product_operation;
  if (mma.combine == isa::bit_operation::exclusive_or) return operation::binary_xor;
  if (mma.combine == isa::bit_operation::conjunction) return operation::binary_and;
  if (isa::format_of(mma.a).is_floating_point()) return operation::float_sum;
  return mma.saturate ? operation::integer_saturate : operation::integer_wrap;
}

numerics::dot_product unit_of(const isa::mma_operation& mma, const config::arithmetic_parameters& arithmetic,
                              config::operand_source source) {
  return config::make_dot_product({isa::format_of(mma.a), isa::format_of(mma.b), isa::format_of(mma.d), operation_of(mma)}, arithmetic,
                                  source);
}

/// Operands of an instruction: A, B, C by their number, D.
lane_fragment source_fragment(const isa::instruction& code, unsigned s, isa::element_type type, warp_state& warp) {
  return {warp, code.sources.at(s).index, type};
}

/// From Turing on.
void multiply_tiles(const isa::instruction& code, const config::arithmetic_parameters& arithmetic, warp_state& warp) {
  const isa::mma_operation& mma = *code.mma;
  const lane_fragment a = source_fragment(code, 0, mma.a, warp), b = source_fragment(code, 1, mma.b, warp),
                      c = source_fragment(code, 2, mma.c, warp);
  packed_rows rows(mma.m, mma.k, mma.a), columns(mma.n, mma.k, mma.b);
  for (unsigned lane = 0; lane < lanes; ++lane) {
    for (unsigned i = 0; i < mma.m * mma.k / lanes; ++i) {
      const place at = multiplicand_place(lane, i, mma.m, mma.a);
      rows.set(at.row, at.column, a.element(lane, i));
    }
    for (unsigned i = 0; i < mma.n * mma.k / lanes; ++i) {
      const place at = multiplicand_place(lane, i, mma.n, mma.b);
      columns.set(at.row, at.column, b.element(lane, i));
    }
  }
  const numerics::dot_product unit = unit_of(mma, arithmetic, config::operand_source::registers);
  const unsigned outputs = mma.m * mma.n / lanes;
  std::vector<std::uint64_t> results;
  for (unsigned lane = 0; lane < lanes; ++lane)
    for (unsigned i = 0; i < outputs; ++i) {
      const place at = accumulator_place(lane, i);
      results.push_back(unit(rows.row(at.row), columns.row(at.column), mma.k, c.element(lane, i)));
    }
  lane_fragment d(warp, code.destinations.at(0).index, mma.d);
  for (unsigned lane = 0; lane < lanes; ++lane)
    for (unsigned i = 0; i < outputs; ++i) d.set(lane, i, results[lane * outputs + i]);
}

/// HMMA.884: four products of quad pairs, of which a step computes a part. The layouts are those of the description of instructions.
void multiply_quad_pairs(const isa::instruction& code, const config::arithmetic_parameters& arithmetic, warp_state& warp) {
  const isa::mma_operation& mma = *code.mma;
  const isa::fragment_layout a_layout(mma, isa::fragment::a), b_layout(mma, isa::fragment::b), c_layout(mma, isa::fragment::c),
      d_layout(mma, isa::fragment::d);
  const lane_fragment a = source_fragment(code, 0, mma.a, warp), b = source_fragment(code, 1, mma.b, warp),
                      c = source_fragment(code, 2, mma.c, warp);
  const auto row_number = [](const isa::matrix_position& at, unsigned index) { return at.matrix * 8 + index; };
  packed_rows rows(32, mma.k, mma.a), columns(32, mma.k, mma.b);
  for (unsigned lane = 0; lane < lanes; ++lane) {
    for (unsigned i = 0; i < a_layout.elements(); ++i) {
      const isa::matrix_position at = a_layout.position(lane, i / 2, i % 2);
      rows.set(row_number(at, at.row), at.column, a.element(lane, i));
    }
    for (unsigned i = 0; i < b_layout.elements(); ++i) {
      const isa::matrix_position at = b_layout.position(lane, i / 2, i % 2);
      columns.set(row_number(at, at.column), at.row, b.element(lane, i));
    }
  }
  const numerics::dot_product unit = unit_of(mma, arithmetic, config::operand_source::registers);
  const unsigned outputs = d_layout.elements(), each = d_layout.elements_per_register();
  std::vector<std::uint64_t> results;
  for (unsigned lane = 0; lane < lanes; ++lane)
    for (unsigned i = 0; i < outputs; ++i) {
      const isa::matrix_position at = d_layout.position(lane, i / each, i % each);
      const auto holder = c_layout.holder(at.row, at.column, at.matrix);
      if (!holder) throw not_executed(code.text);
      const std::uint64_t addend = c.element(holder->lane, holder->reg * c_layout.elements_per_register() + holder->element);
      if (mma.c != mma.d) throw not_executed(code.text);
      results.push_back(unit(rows.row(row_number(at, at.row)), columns.row(row_number(at, at.column)), mma.k, addend));
    }
  lane_fragment d(warp, code.destinations.at(0).index, mma.d);
  for (unsigned lane = 0; lane < lanes; ++lane)
    for (unsigned i = 0; i < outputs; ++i) d.set(lane, i, results[lane * outputs + i]);
}

/// The layout that a descriptor says, by another reading of the PTX ISA than the model's.
tc::device::test::tensor::canonical_matrix canonical(const isa::matrix_descriptor& matrix, isa::matrix_major major) {
  constexpr std::array<unsigned, 5> codes{0, 6, 4, 2, 1};  // in the order of swizzle_mode
  if (matrix.base_offset != 0) throw not_executed("a matrix whose swizzle has a base offset");
  return {matrix.start, matrix.leading_bytes, matrix.stride_bytes, codes.at(static_cast<std::size_t>(matrix.swizzle)),
          major == isa::matrix_major::mn};
}

packed_rows shared_rows(const tc::device::test::tensor::canonical_matrix& matrix, unsigned rows, unsigned k, isa::element_type type,
                        bool negated, const std::vector<std::uint8_t>& shared, unsigned first_row) {
  packed_rows result(rows, k, type);
  const unsigned bytes = isa::bits(type) / 8;
  const std::uint32_t sign = negated ? 1U << (isa::bits(type) - 1) : 0;
  for (unsigned row = 0; row < rows; ++row)
    for (unsigned i = 0; i < k; ++i) result.set(row, i, bytes_at(shared, matrix.address(first_row + row, i, bytes), bytes) ^ sign);
  return result;
}

}  // namespace

void multiply_registers(const isa::instruction& code, const config::arithmetic_parameters& arithmetic, warp_state& warp) {
  if (code.mma->instances > 1) return multiply_quad_pairs(code, arithmetic, warp);
  multiply_tiles(code, arithmetic, warp);
}

void multiply_shared(const isa::wgmma_operation& operation, unsigned rank, const std::vector<std::uint8_t>& shared,
                     const config::arithmetic_parameters& arithmetic, warp_state& warp) {
  constexpr unsigned rows_of_warp = 16, columns_of_tile = 8;
  const isa::mma_operation& mma = operation.mma;
  packed_rows rows(rows_of_warp, mma.k, mma.a);
  if (operation.a_in_registers) {
    const lane_fragment a(warp, operation.a_registers.at(0), mma.a);
    const std::uint64_t sign = operation.negate_a ? std::uint64_t{1} << (isa::bits(mma.a) - 1) : 0;
    for (unsigned lane = 0; lane < lanes; ++lane)
      for (unsigned i = 0; i < rows_of_warp * mma.k / lanes; ++i) {
        const place at = multiplicand_place(lane, i, rows_of_warp, mma.a);
        rows.set(at.row, at.column, a.element(lane, i) ^ sign);
      }
  } else {
    rows =
        shared_rows(canonical(operation.a, operation.a_major), rows_of_warp, mma.k, mma.a, operation.negate_a, shared, rank * rows_of_warp);
  }
  const packed_rows columns = shared_rows(canonical(operation.b, operation.b_major), mma.n, mma.k, mma.b, operation.negate_b, shared, 0);
  const numerics::dot_product unit = unit_of(mma, arithmetic, config::operand_source::shared_memory);
  lane_fragment d(warp, operation.accumulators.at(0), mma.d);
  const unsigned outputs_of_tile = rows_of_warp * columns_of_tile / lanes;
  for (unsigned lane = 0; lane < lanes; ++lane)
    for (unsigned i = 0; i < mma.n / columns_of_tile * outputs_of_tile; ++i) {
      const place at = accumulator_place(lane, i % outputs_of_tile);
      const unsigned column = i / outputs_of_tile * columns_of_tile + at.column;
      d.set(lane, i, unit(rows.row(at.row), columns.row(column), mma.k, operation.accumulate ? d.element(lane, i) : 0));
    }
}

}  // namespace tcsim::random_programs
