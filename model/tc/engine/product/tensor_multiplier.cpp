// SPDX-License-Identifier: Apache-2.0
#include "tensor_multiplier.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include <tc/config/make_dot_product.hpp>
#include <tc/isa/tcgen05/copy_shape.hpp>

namespace tc::engine {
namespace {

constexpr unsigned byte_bits = 8;

bool has_bytes(isa::mma_kind kind) { return kind == isa::mma_kind::f8f6f4 || kind == isa::mma_kind::mxf8f6f4; }

/// The bits of an element in each element of a word.
std::uint32_t in_each(std::uint64_t bits, unsigned element_bits) {
  std::uint32_t word = 0;
  for (unsigned bit = 0; bit < 32; bit += element_bits) word |= static_cast<std::uint32_t>(bits) << bit;
  return word;
}

}  // namespace

numerics::number_format multiplied_format(isa::mma_kind kind, isa::element_type type) {
  numerics::number_format format = isa::format_of(type);
  if (has_bytes(kind)) format.storage_bits = byte_bits;
  return format;
}

element_packer::element_packer(isa::mma_kind kind, isa::element_type type, bool negate) {
  const numerics::number_format format = multiplied_format(kind, type);
  signs_ = negate ? in_each(format.sign_bit() << format.ignored_bits, format.storage_bits) : 0;
  if (!has_bytes(kind)) return;
  right_ = isa::bit_in_byte(type);
  mask_ = in_each(format.sign_bit() | format.magnitude_mask(), byte_bits);
}

const numerics::matrix_product& tensor_products::of(const tensor_mma_plan& plan) {
  const isa::mma_form& form = plan.form();
  const isa::instruction_descriptor& types = plan.descriptor();
  const key wanted{form.kind, form.scales, form.sparse, types.a, types.b, types.d, types.scale_type, types.saturate};
  const auto found = products_.find(wanted);
  return found != products_.end() ? found->second : products_.emplace(wanted, make(plan)).first->second;
}

numerics::matrix_product tensor_products::make(const tensor_mma_plan& plan) const {
  using operation = numerics::dot_product_operation;
  const isa::mma_kind kind = plan.form().kind;
  const isa::instruction_descriptor& descriptor = plan.descriptor();
  numerics::dot_product_types types{multiplied_format(kind, descriptor.a), multiplied_format(kind, descriptor.b),
                                    isa::format_of(descriptor.d)};
  if (plan.form().sparse) std::swap(types.a, types.b);
  if (kind == isa::mma_kind::i8) types.operation = descriptor.saturate ? operation::integer_saturate : operation::integer_wrap;
  if (plan.scale_a()) {
    const unsigned blocks = isa::scales(plan.form().scales);
    types.scaling = numerics::block_scaling{isa::format_of(descriptor.scale_type), isa::mma_k(kind, false) / blocks};
  }
  config::arithmetic_parameters arithmetic = arithmetic_;
  if (kind == isa::mma_kind::mxf8f6f4) arithmetic.mxf4 = arithmetic.mxf8f6f4;  // also of e2m1 by e2m1
  return numerics::matrix_product(config::make_dot_product(types, arithmetic, config::operand_source::shared_memory));
}

namespace {

constexpr unsigned row_words = isa::tensor_operand_layout::columns;  ///< of A

/// An addend divided by a power of two.
std::uint32_t divided(std::uint32_t addend, const numerics::number_format& format, unsigned power) {
  const std::uint64_t magnitude = addend & format.magnitude_mask();
  if (magnitude >= format.first_special()) return addend;
  if (magnitude >> format.fraction_bits > power) return addend - (power << format.fraction_bits);
  const double quotient = std::ldexp(numerics::value_of(addend, format), -static_cast<int>(power));
  return static_cast<std::uint32_t>(numerics::encode(quotient, format, numerics::rounding_mode::toward_zero));
}

/// The scales of an index from the byte of the first on.
std::uint32_t scales_at(const cell_block& cells, const isa::scale_factor_layout& layout, unsigned index, unsigned copy) {
  const isa::tensor_byte first = layout.at({index, 0}, copy);
  return cells.cell(first.address) >> 8 * first.byte;
}

/// The places in their group of the elements that a row stores.
std::vector<unsigned> stored_elements(isa::mma_kind kind, unsigned code, unsigned row, unsigned group) {
  try {
    return isa::stored_elements(kind, code);
  } catch (const std::invalid_argument& mistake) {
    throw std::invalid_argument(fmt::format("metadata of row {} of A, group {} of its elements: {}", row, group, mistake.what()));
  }
}

}  // namespace

/// What of D is in a chunk of tensor memory, in the columns asked for: some rows of the CTA, and some columns.
struct tensor_multiplier::chunk_part {
  unsigned chunk;
  unsigned lane;             ///< of the first row
  unsigned row, rows;        ///< of those of the CTA
  unsigned column, columns;  ///< of N
  bool sparse;

  chunk_part(const tensor_mma_plan& plan, unsigned cta, unsigned number, isa::column_range asked)
      : chunk(number), columns(asked.count), sparse(plan.form().sparse) {
    const unsigned half = isa::chunk_lanes / 2, first = asked.first;
    lane = chunk * isa::chunk_lanes;
    auto place = plan.d().find({cta, {lane, first}});
    if (!place) place = plan.d().find({cta, {lane += half, first}});
    rows = isa::fills_half_lanes(plan.layout()) ? half : isa::chunk_lanes;
    row = place->row % (plan.m() / plan.ctas());
    column = place->column;
  }

  /// Whether all cells of the part are written, and the words that they hold are the addends.
  bool is_in_place(const tensor_mma_plan& plan, unsigned cta) const {
    if (sparse || rows != isa::chunk_lanes || isa::bits(plan.descriptor().d) != 32 || plan.scale_input_d() != 0) return false;
    for (unsigned r = 0; r < rows; ++r)
      if (!plan.writes(cta, lane + r)) return false;
    return true;
  }

  /// Where an addend stands: the rows of a column side by side, of a sparse operation the columns of a row.
  std::size_t at(unsigned r, unsigned n) const { return sparse ? std::size_t{r} * columns + n : std::size_t{n} * rows + r; }
};

tensor_multiplier::tensor_multiplier(const config::arithmetic_parameters& arithmetic) : products_(arithmetic) {}

void tensor_multiplier::multiply(const tensor_mma_plan& plan, unsigned cta, const tensor_mma_inputs& inputs, cell_block& d) {
  const numerics::matrix_product& product = products_.of(plan);
  std::optional<unsigned> column_of_b;
  for (unsigned chunk = 0; chunk < isa::tensor_chunks; ++chunk) {
    const chunk_part part(plan, cta, chunk, d.columns());
    if (column_of_b != part.column) take_b(plan, inputs.b, part);
    column_of_b = part.column;
    take_a(plan, inputs, part);
    if (plan.scale_a()) take_scales(plan, inputs, part);
    if (part.is_in_place(plan, cta)) {
      std::uint32_t* const cells = d.chunk(chunk);
      if (!plan.reads_d()) std::fill_n(cells, std::size_t{part.rows} * part.columns, 0);
      multiply_dense(product, plan, part, cells);
      continue;
    }
    take_addends(plan, d, part);
    if (part.sparse) {
      multiply_sparse(product, plan, *inputs.metadata, part);
    } else {
      multiply_dense(product, plan, part, sums_.data());
    }
    store(plan, cta, part, d);
  }
}

/// The columns of B that a part of D needs.
void tensor_multiplier::take_b(const tensor_mma_plan& plan, const std::array<const std::uint32_t*, 2>& shares, const chunk_part& part) {
  const isa::instruction_descriptor& descriptor = plan.descriptor();
  const element_packer pack(plan.form().kind, descriptor.b, descriptor.negate_b);
  const unsigned of_share = plan.n() / plan.ctas(), words = plan.shared_b().row_bytes() / sizeof(std::uint32_t);
  b_.resize(std::size_t{part.columns} * words);
  std::uint32_t* packed = b_.data();
  for (unsigned n = part.column; n < part.column + part.columns; ++n, packed += words) {
    if (!plan.zero_columns().empty() && plan.zero_columns()[n]) {
      std::fill_n(packed, words, 0);
      continue;
    }
    const std::uint32_t* const column = shares.at(n / of_share) + std::size_t{plan.first_column() + n % of_share} * words;
    std::transform(column, column + words, packed, pack);
  }
  if (!part.sparse) return;
  const numerics::number_format format = multiplied_format(plan.form().kind, descriptor.b);
  elements_.resize(std::size_t{plan.k()} * part.columns);
  for (unsigned k = 0; k < plan.k(); ++k) {
    for (unsigned n = 0; n < part.columns; ++n) {
      elements_[std::size_t{k} * part.columns + n] =
          static_cast<std::uint32_t>(numerics::packed_element(&b_[std::size_t{n} * words], k, format));
    }
  }
}

void tensor_multiplier::take_a(const tensor_mma_plan& plan, const tensor_mma_inputs& inputs, const chunk_part& part) {
  const element_packer pack(plan.form().kind, plan.descriptor().a, plan.descriptor().negate_a);
  const unsigned column = plan.columns(tensor_operand::a).first;
  a_.resize(std::size_t{part.rows} * row_words);
  for (unsigned r = 0; r < part.rows; ++r) {
    for (unsigned w = 0; w < row_words; ++w) {
      const std::uint32_t word = inputs.a_cells != nullptr ? inputs.a_cells->cell({part.lane + r, column + w})
                                                           : inputs.a[std::size_t{part.row + r} * row_words + w];
      a_[part.sparse ? r * row_words + w : w * part.rows + r] = pack(word);
    }
  }
}

void tensor_multiplier::take_addends(const tensor_mma_plan& plan, const cell_block& d, const chunk_part& part) {
  sums_.assign(std::size_t{part.rows} * part.columns, 0);
  if (!plan.reads_d()) return;
  const numerics::number_format& format = isa::format_of(plan.descriptor().d);
  const std::uint32_t* cells = d.chunk(part.chunk) + part.lane % isa::chunk_lanes;
  for (unsigned n = 0; n < part.columns; ++n, cells += isa::chunk_lanes) {
    for (unsigned r = 0; r < part.rows; ++r) {
      const auto addend = static_cast<std::uint32_t>(cells[r] & format.storage_mask());
      sums_[part.at(r, n)] = plan.scale_input_d() == 0 ? addend : divided(addend, format, plan.scale_input_d());
    }
  }
}

void tensor_multiplier::take_scales(const tensor_mma_plan& plan, const tensor_mma_inputs& inputs, const chunk_part& part) {
  const isa::scale_factor_layout &of_a = *plan.scale_a(), &of_b = *plan.scale_b();
  scale_a_.resize(part.rows);
  scale_b_.resize(part.columns);
  for (unsigned r = 0; r < part.rows; ++r) {
    scale_a_[r] = scales_at(*inputs.scale_a, of_a, part.row + r, part.chunk % of_a.copies());
  }
  for (unsigned n = 0; n < part.columns; ++n) {
    scale_b_[n] = scales_at(*inputs.scale_b, of_b, part.column + n, part.chunk % of_b.copies());
  }
}

void tensor_multiplier::multiply_dense(const numerics::matrix_product& product, const tensor_mma_plan& plan, const chunk_part& part,
                                       std::uint32_t* sums) {
  numerics::matrix_operands operands{part.rows, part.columns, plan.k(), a_.data(), b_.data(), sums, sums};
  if (plan.scale_a()) {
    operands.scale_a = scale_a_.data();
    operands.scale_b = scale_b_.data();
  }
  product(operands);
}

/// Row by row, as each meets other elements of B: a row of D from the columns of B and one row of A.
void tensor_multiplier::multiply_sparse(const numerics::matrix_product& product, const tensor_mma_plan& plan, const cell_block& metadata,
                                        const chunk_part& part) {
  for (unsigned r = 0; r < part.rows; ++r) {
    select_b(plan, metadata, part, r);
    std::uint32_t* const sums = &sums_[part.at(r, 0)];
    numerics::matrix_operands operands{part.columns, 1, plan.k() / 2, selected_.data(), &a_[std::size_t{r} * row_words], sums, sums};
    if (plan.scale_a()) {
      operands.scale_a = scale_b_.data();
      operands.scale_b = &scale_a_[r];
    }
    product(operands);
  }
}

void tensor_multiplier::select_b(const tensor_mma_plan& plan, const cell_block& metadata, const chunk_part& part, unsigned row) {
  const isa::mma_kind kind = plan.form().kind;
  const numerics::number_format format = multiplied_format(kind, plan.descriptor().b);
  const unsigned group_length = isa::sparsity_group(kind);
  selected_.assign(std::size_t{row_words} * part.columns, 0);
  unsigned stored = 0;
  for (unsigned group = 0; group < plan.metadata()->groups(); ++group) {
    const isa::sparsity_code_place place = plan.metadata()->code(part.row + row, group);
    const unsigned code = metadata.cell(place.address) >> place.bit & 0xf;
    for (const unsigned element : stored_elements(kind, code, part.row + row, group)) {
      const std::uint32_t* const from = &elements_[std::size_t{group * group_length + element} * part.columns];
      std::uint32_t* const to = &selected_[std::size_t{stored / format.elements_per_word()} * part.columns];
      const unsigned left = stored % format.elements_per_word() * format.storage_bits;
      for (unsigned n = 0; n < part.columns; ++n) to[n] |= from[n] << left;
      ++stored;
    }
  }
}

void tensor_multiplier::store(const tensor_mma_plan& plan, unsigned cta, const chunk_part& part, cell_block& d) const {
  std::uint32_t* const cells = d.chunk(part.chunk) + part.lane % isa::chunk_lanes;
  for (unsigned r = 0; r < part.rows; ++r) {
    if (!plan.writes(cta, part.lane + r)) continue;
    for (unsigned n = 0; n < part.columns; ++n) cells[std::size_t{n} * isa::chunk_lanes + r] = sums_[part.at(r, n)];
  }
}

}  // namespace tc::engine
