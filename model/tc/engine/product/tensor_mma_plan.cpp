// SPDX-License-Identifier: Apache-2.0
#include "tensor_mma_plan.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include <tc/isa/tcgen05/zero_column_mask.hpp>

namespace tc::engine {
namespace {

using isa::matrix_major;

constexpr isa::architecture target = isa::architecture::sm_100;

void refuse_unless(bool holds, const std::string& rule) {
  if (!holds) throw std::invalid_argument(rule);
}

void refuse(const std::string& mistake, std::string_view what) {
  if (!mistake.empty()) throw std::invalid_argument(fmt::format("{}: {}", what, mistake));
}

isa::tensor_copy_decompression decompression_of(isa::mma_kind kind, isa::element_type type) {
  if (kind != isa::mma_kind::f8f6f4 && kind != isa::mma_kind::mxf8f6f4) return isa::tensor_copy_decompression::none;
  if (type == isa::element_type::e2m1) return isa::tensor_copy_decompression::b4x16_p64;
  const bool six_bits = type == isa::element_type::e2m3 || type == isa::element_type::e3m2;
  return six_bits ? isa::tensor_copy_decompression::b6x16_p32 : isa::tensor_copy_decompression::none;
}

/// A matrix in shared memory. Elements of 4 bits without padding are read as bytes, two of them in each.
shared_operand make_shared(std::uint64_t bits, isa::mma_kind kind, isa::element_type type, matrix_major major, unsigned rows, unsigned k,
                           std::string_view what) {
  refuse(isa::descriptor_mistake(bits, target), what);
  const isa::matrix_descriptor descriptor = isa::decode_matrix_descriptor(bits, target);
  refuse(isa::mma_swizzle_mistake(kind, major, descriptor.swizzle), what);
  const unsigned element_bits = std::max(isa::operand_bits(kind), 8U), elements = k * isa::operand_bits(kind) / element_bits;
  const unsigned row_bytes = elements * element_bits / 8;
  refuse_unless(major == matrix_major::mn || descriptor.swizzle != isa::swizzle_mode::bytes_32 || row_bytes <= 32,
                fmt::format("{}: where rows of {} bytes lie that are swizzled in 32 bytes is not published", what, row_bytes));
  return {isa::shared_matrix(descriptor, major, element_bits, rows, elements), major, decompression_of(kind, type)};
}

/// Columns of B to read so that there are `columns` of them: whole core matrices.
unsigned whole_columns(unsigned columns, isa::mma_kind kind, matrix_major major) {
  constexpr unsigned lines = isa::shared_matrix::core_lines, unit_bits = isa::shared_matrix::unit_bytes * 8;
  const unsigned step = major == matrix_major::k ? lines : std::max(lines, unit_bits / isa::operand_bits(kind));
  return (columns + step - 1) / step * step;
}

void check_qualifiers(const isa::tensor_mma_operation& operation, unsigned m) {
  const isa::mma_form& form = operation.form;
  const bool takes_scale = form.kind == isa::mma_kind::f16 || form.kind == isa::mma_kind::tf32;
  refuse_unless(operation.scale_input_d == 0 || takes_scale,
                fmt::format("scale-input-d is for .kind::f16 and ::tf32, not for .kind::{}", isa::name(form.kind)));
  refuse_unless(!operation.zero_column_mask || form.weight_stationary, "a zero-column mask is for .ws");
  if (!operation.shift_a) return;
  refuse_unless(operation.a_in_tensor_memory, ".ashift needs A in tensor memory");
  const unsigned needed = isa::tensor_lanes * isa::ctas(form.group);
  refuse_unless(m == needed, fmt::format(".ashift with .cta_group::{} needs M = {}, not {}", isa::ctas(form.group), needed, m));
}

isa::output_lane_mask lane_mask(const isa::tensor_mma_operation& operation) {
  isa::output_lane_mask mask;
  const std::size_t words = operation.disabled_lanes.size(),
                    all = std::size_t{isa::ctas(operation.form.group)} * isa::output_lane_mask::words_of_cta;
  refuse_unless(words == 0 || words == all,
                fmt::format("the disabled lanes of {} CTAs are {} words, not {}", isa::ctas(operation.form.group), all, words));
  std::copy(operation.disabled_lanes.begin(), operation.disabled_lanes.end(), mask.words.begin());
  return mask;
}

/// Cells by columns.
class cell_gatherer {
 public:
  explicit cell_gatherer(isa::column_range range) : range_(range), columns_(range.count) {}

  void add(isa::tensor_address address) { columns_[address.column - range_.first].add(address.lane); }

  /// Neighbouring columns with the same lanes together.
  std::vector<isa::tensor_cells> take() const {
    std::vector<isa::tensor_cells> cells;
    for (unsigned column = 0; column < range_.count; ++column) {
      if (!cells.empty() && cells.back().lanes == columns_[column].lanes) {
        ++cells.back().columns.count;
      } else {
        cells.push_back({columns_[column].lanes, {range_.first + column, 1}});
      }
    }
    return cells;
  }

 private:
  isa::column_range range_;
  std::vector<isa::tensor_cells> columns_;
};

std::vector<isa::tensor_cells> cells_of(const isa::scale_factor_layout& scales) {
  cell_gatherer gatherer(scales.tensor_range());
  for (unsigned index = 0; index < scales.indices(); ++index) {
    for (unsigned copy = 0; copy < scales.copies(); ++copy) gatherer.add(scales.at({index, 0}, copy).address);
  }
  return gatherer.take();
}

std::vector<isa::tensor_cells> cells_of(const isa::sparsity_layout& metadata, unsigned rows) {
  cell_gatherer gatherer(metadata.tensor_range());
  for (unsigned row = 0; row < rows; ++row) {
    for (unsigned group = 0; group < metadata.groups(); ++group) gatherer.add(metadata.code(row, group).address);
  }
  return gatherer.take();
}

}  // namespace

tensor_mma_plan::tensor_mma_plan(const isa::tensor_mma_operation& operation)
    : form_(operation.form),
      descriptor_(isa::decode_instruction_descriptor(operation.descriptor, form_)),
      d_(form_, descriptor_.m, descriptor_.n, isa::decode_tensor_address(operation.d)),
      first_lane_(isa::decode_tensor_address(operation.d).lane),
      disabled_(lane_mask(operation)),
      scale_input_d_(operation.scale_input_d),
      reads_d_(operation.enable_input_d),
      shifts_a_(operation.shift_a) {
  check_qualifiers(operation, m());
  if (operation.zero_column_mask) {
    const isa::zero_column_mask mask = isa::decode_zero_column_mask(*operation.zero_column_mask, m());
    first_column_ = mask.column_shift;
    zero_columns_ = isa::zero_columns(mask, m(), n());
  }
  if (operation.a_in_tensor_memory) {
    take_tensor_a(isa::decode_tensor_address(operation.a_address));
  } else {
    shared_a_ = make_shared(operation.a_descriptor, form_.kind, descriptor_.a, descriptor_.a_major, m() / ctas(),
                            isa::mma_k(form_.kind, false), "A");
  }
  shared_b_ = make_shared(operation.b_descriptor, form_.kind, descriptor_.b, descriptor_.b_major,
                          whole_columns(first_column_ + n() / ctas(), form_.kind, descriptor_.b_major), k(), "B");
  if (form_.sparse) metadata_.emplace(form_, descriptor_, isa::decode_tensor_address(operation.metadata));
  if (!isa::is_block_scaled(form_.kind)) return;
  scale_a_ = isa::scale_factor_layout::of_a(form_, descriptor_, isa::decode_scale_address(operation.scale_a));
  scale_b_ = isa::scale_factor_layout::of_b(form_, descriptor_, isa::decode_scale_address(operation.scale_b));
}

void tensor_mma_plan::take_tensor_a(isa::tensor_address address) {
  refuse_unless(descriptor_.a_major == matrix_major::k, "A in tensor memory is K-major: it is not transposed");
  a_.emplace(form_, m(), address);
  refuse_unless(address.lane == first_lane_,
                fmt::format("A must begin in the lane in which D begins, {}, not {}", first_lane_, address.lane));
}

isa::column_range tensor_mma_plan::columns(tensor_operand which) const {
  const auto range = [](const auto& layout) { return layout ? layout->tensor_range() : isa::column_range{}; };
  switch (which) {
    case tensor_operand::a:
      return range(a_);
    case tensor_operand::metadata:
      return range(metadata_);
    case tensor_operand::scale_a:
      return range(scale_a_);
    case tensor_operand::scale_b:
      return range(scale_b_);
    case tensor_operand::d:
      break;
  }
  return d_.tensor_range();
}

std::vector<isa::tensor_cells> tensor_mma_plan::cells(tensor_operand which, unsigned cta) const {
  if (columns(which).count == 0) return {};
  switch (which) {
    case tensor_operand::metadata:
      return cells_of(*metadata_, m() / ctas());
    case tensor_operand::scale_a:
      return cells_of(*scale_a_);
    case tensor_operand::scale_b:
      return cells_of(*scale_b_);
    case tensor_operand::a:
    case tensor_operand::d:
      break;
  }
  isa::tensor_cells cells{{}, columns(which)};  // D and A have the same lanes
  for (unsigned lane = 0; lane < isa::tensor_lanes; ++lane) {
    const bool is_there = isa::find_row(layout(), m(), {cta, {lane, 0}}, first_lane_).has_value();
    if (is_there && (which == tensor_operand::a || writes(cta, lane))) cells.add(lane);
  }
  return {cells};
}

}  // namespace tc::engine
