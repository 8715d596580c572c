// SPDX-License-Identifier: Apache-2.0
#include "tensor_operand_layout.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <stdexcept>

#include <fmt/format.h>

namespace tc::isa {
namespace {

struct layout_row {
  unsigned cta_rows;  ///< of D in a CTA
  unsigned parts;     ///< that its columns are cut into
};

// CUTLASS, mma_traits_sm100_frag.hpp, in the order of the letters.
constexpr std::array<layout_row, 7> layout_rows{{{128, 1}, {64, 2}, {64, 1}, {128, 1}, {64, 2}, {64, 1}, {32, 4}}};

const layout_row& layout_row_of(data_path_layout layout) { return layout_rows.at(static_cast<std::size_t>(layout)); }

/// Rows of a chunk in layouts that leave half of its lanes out.
constexpr unsigned half_lanes = chunk_lanes / 2;

}  // namespace

data_path_layout layout_of(const mma_form& form, unsigned m) {
  const auto ms = mma_rows(form);
  if (std::find(ms.begin(), ms.end(), m) == ms.end()) {
    throw std::invalid_argument(fmt::format("no tcgen05.mma of .kind::{} and {} CTAs has M = {}", name(form.kind), ctas(form.group), m));
  }
  if (form.group == cta_group::two) {
    if (m == 256) return data_path_layout::a;
    return form.sparse ? data_path_layout::c : data_path_layout::b;
  }
  if (m == 128) return data_path_layout::d;
  if (m == 64) return form.weight_stationary ? data_path_layout::e : data_path_layout::f;
  return data_path_layout::g;
}

std::string first_lane_mistake(data_path_layout layout, unsigned lane, std::string_view what) {
  const bool halves = fills_half_lanes(layout);
  if (lane == 0 || (halves && lane == half_lanes)) return {};
  return fmt::format("the lane of {} must be 0{}, not {}", what, halves ? " or 16" : "", lane);
}

tensor_cell row_place(data_path_layout layout, unsigned row, unsigned first_lane) {
  const unsigned rows = layout_row_of(layout).cta_rows, local = row % rows;
  const unsigned lane = fills_half_lanes(layout) ? local % half_lanes + chunk_lanes * (local / half_lanes) : local;
  return {row / rows, {lane + first_lane, 0}};
}

std::optional<data_path_row> find_row(data_path_layout layout, unsigned m, const tensor_cell& cell, unsigned first_lane) {
  const unsigned rows = layout_row_of(layout).cta_rows;
  unsigned lane = cell.address.lane;
  if (cell.cta >= m / rows || lane >= tensor_lanes) return std::nullopt;
  if (fills_half_lanes(layout)) {
    if (lane % chunk_lanes / half_lanes != first_lane / half_lanes) return std::nullopt;
    lane = lane / chunk_lanes * half_lanes + lane % half_lanes;
  }
  return data_path_row{cell.cta * rows + lane % rows, lane / rows};
}

accumulator_layout::accumulator_layout(const mma_form& form, unsigned m, unsigned n, tensor_address address)
    : layout_(layout_of(form, m)), m_(m), n_(n), address_(address), parts_(layout_row_of(layout_).parts) {
  const auto ns = mma_columns(form);
  if (std::find(ns.begin(), ns.end(), n) == ns.end()) {
    throw std::invalid_argument(fmt::format("no tcgen05.mma of .kind::{} and {} CTAs has N = {}", name(form.kind), ctas(form.group), n));
  }
  if (const std::string mistake = first_lane_mistake(layout_, address.lane, "D"); !mistake.empty()) throw std::invalid_argument(mistake);
  if (const std::string mistake = column_range_mistake(tensor_range(), "D"); !mistake.empty()) throw std::invalid_argument(mistake);
}

tensor_cell accumulator_layout::cell(accumulator_place place) const {
  const unsigned width = n_ / parts_;
  tensor_cell cell = row_place(layout_, place.row, address_.lane);
  cell.address.lane += place.column / width * layout_row_of(layout_).cta_rows;
  cell.address.column = address_.column + place.column % width;
  return cell;
}

std::optional<accumulator_place> accumulator_layout::find(const tensor_cell& cell) const {
  const unsigned column = cell.address.column, width = n_ / parts_;
  if (column < address_.column || column >= address_.column + width) return std::nullopt;
  const std::optional<data_path_row> found = find_row(layout_, m_, cell, address_.lane);
  if (!found) return std::nullopt;
  return accumulator_place{found->row, found->part * width + column - address_.column};
}

namespace {

constexpr unsigned id_bits = 2;

}  // namespace

tensor_address decode_scale_address(std::uint32_t bits) { return decode_tensor_address(bits << id_bits >> id_bits); }

scale_factor_layout scale_factor_layout::of_a(const mma_form& form, const instruction_descriptor& descriptor, tensor_address address) {
  return {form, descriptor.m / ctas(form.group), 1, descriptor.scale_a_id, address};
}

scale_factor_layout scale_factor_layout::of_b(const mma_form& form, const instruction_descriptor& descriptor, tensor_address address) {
  const bool halves = layout_of(form, descriptor.m) == data_path_layout::b;
  return {form, descriptor.n, halves ? 2U : 1U, descriptor.scale_b_id, address};
}

scale_factor_layout::scale_factor_layout(const mma_form& form, unsigned indices, unsigned parts, unsigned id, tensor_address address)
    : indices_(indices), parts_(parts), blocks_(scales(form.scales)), id_(id), address_(address) {
  if (const std::string mistake = mma_form_mistake(form); !mistake.empty()) throw std::invalid_argument(mistake);
  if (blocks_ == 0) throw std::invalid_argument(fmt::format(".kind::{} has no scales", name(form.kind)));
  if (address.lane != 0) throw std::invalid_argument(fmt::format("the lane of scales must be 0, not {}", address.lane));
  if (const std::string mistake = column_range_mistake(tensor_range(), "scales"); !mistake.empty()) throw std::invalid_argument(mistake);
}

unsigned scale_factor_layout::copies() const { return tensor_chunks / parts_; }

column_range scale_factor_layout::tensor_range() const { return {address_.column, (indices_ / parts_ + chunk_lanes - 1) / chunk_lanes}; }

tensor_byte scale_factor_layout::at(scale_place place, unsigned copy) const {
  const unsigned of_part = indices_ / parts_, part = place.index / of_part, local = place.index % of_part;
  const unsigned chunk = part * copies() + copy;
  return {{chunk * chunk_lanes + local % chunk_lanes, address_.column + local / chunk_lanes}, id_ + place.block};
}

std::optional<scale_place> scale_factor_layout::find(const tensor_byte& byte) const {
  const auto [lane, column] = byte.address;
  const unsigned of_part = indices_ / parts_, part = lane / chunk_lanes / copies();
  if (lane >= tensor_lanes || column < address_.column || byte.byte < id_ || byte.byte >= id_ + blocks_) return std::nullopt;
  const unsigned local = (column - address_.column) * chunk_lanes + lane % chunk_lanes;
  if (local >= of_part) return std::nullopt;
  return scale_place{part * of_part + local, byte.byte - id_};
}

namespace {

constexpr unsigned code_bits = 4, metadata_rows = 128;

// PTX ISA, "Sparse matrices": the codes that there are. Those of groups of two tell which element is stored; the others have two bits for
// each of the stored elements, or pairs of them, the first one's lower.
constexpr std::array<unsigned, 2> pair_codes{0b0100, 0b1110};
constexpr std::array<unsigned, 7> group_codes{0b0100, 0b1000, 0b1100, 0b1001, 0b1101, 0b0110, 0b1110};

template <class Codes>
bool contains(const Codes& codes, unsigned code) {
  return std::find(codes.begin(), codes.end(), code) != codes.end();
}

void check(const mma_form& form, const instruction_descriptor& descriptor) {
  if (!form.sparse) throw std::invalid_argument("a matrix that is not sparse has no metadata");
  if (descriptor.m != metadata_rows * ctas(form.group)) {
    throw std::invalid_argument(fmt::format("where the metadata of M = {} and {} lies is not published, only that of {} rows in each CTA",
                                            descriptor.m, form.group == cta_group::one ? "one CTA" : "two CTAs", metadata_rows));
  }
  if (descriptor.sparsity_selector != 0) {
    throw std::invalid_argument(
        fmt::format("where the metadata lies that sparsity selector {} selects is not published", descriptor.sparsity_selector));
  }
}

}  // namespace

unsigned sparsity_group(mma_kind kind) {
  if (kind == mma_kind::tf32) return 2;
  return kind == mma_kind::mxf4 || kind == mma_kind::mxf4nvf4 ? 8 : 4;
}

std::vector<unsigned> stored_elements(mma_kind kind, unsigned code) {
  const unsigned group = sparsity_group(kind);
  if (group == 2 ? !contains(pair_codes, code) : !contains(group_codes, code)) {
    throw std::invalid_argument(fmt::format("{:#06b} is no sparsity code of .kind::{}", code, name(kind)));
  }
  if (group == 2) return {code == pair_codes.front() ? 0U : 1U};
  const unsigned first = code & 3, second = code >> 2;
  if (group == 4) return {first, second};
  return {2 * first, 2 * first + 1, 2 * second, 2 * second + 1};
}

sparsity_layout::sparsity_layout(const mma_form& form, const instruction_descriptor& descriptor, tensor_address address)
    : address_(address), groups_(mma_k(form) / sparsity_group(form.kind)), columns_(groups_ * code_bits / tensor_cell_bits) {
  check(form, descriptor);
  if (address.lane != 0) throw std::invalid_argument(fmt::format("the lane of sparsity metadata must be 0, not {}", address.lane));
  if (const std::string mistake = column_range_mistake(tensor_range(), "sparsity metadata"); !mistake.empty()) {
    throw std::invalid_argument(mistake);
  }
}

sparsity_code_place sparsity_layout::code(unsigned row, unsigned group) const {
  const unsigned bit = group * code_bits;
  if (!shares_cells()) return {{row, address_.column + bit / tensor_cell_bits}, bit % tensor_cell_bits};
  constexpr unsigned half_cell = tensor_cell_bits / 2;
  const unsigned half = bit / half_cell;  // of K
  return {{row % 8 + 8 * half + 16 * (row / 16), address_.column}, bit % half_cell + half_cell * (row / 8 % 2)};
}

namespace {

/// Lanes between the copies of a row in layout B, whose halves compute different columns of D with the same rows.
constexpr unsigned copy_lanes = tensor_lanes / 2;

}  // namespace

unsigned operand_bits(mma_kind kind) { return tensor_operand_layout::columns * tensor_cell_bits / mma_k(kind, false); }

tensor_operand_layout::tensor_operand_layout(const mma_form& form, unsigned m, tensor_address address)
    : layout_(layout_of(form, m)), m_(m), bits_(operand_bits(form.kind)), address_(address) {
  if (layout_ == data_path_layout::e || layout_ == data_path_layout::g) {
    throw std::invalid_argument(fmt::format("where A of tcgen05.mma.ws with M = {} lies in tensor memory is not published", m));
  }
  if (const std::string mistake = first_lane_mistake(layout_, address.lane, "A"); !mistake.empty()) throw std::invalid_argument(mistake);
  if (const std::string mistake = column_range_mistake(tensor_range(), "A"); !mistake.empty()) throw std::invalid_argument(mistake);
}

std::vector<operand_cell> tensor_operand_layout::cells(matrix_place place) const {
  const unsigned first_bit = place.k * bits_;
  tensor_cell cell = row_place(layout_, place.row, address_.lane);
  cell.address.column = address_.column + first_bit / tensor_cell_bits;
  const operand_cell first{cell, first_bit % tensor_cell_bits};
  if (layout_ != data_path_layout::b) return {first};
  cell.address.lane += copy_lanes;
  return {first, {cell, first.bit}};
}

std::optional<matrix_place> tensor_operand_layout::find(const tensor_cell& cell, unsigned bit) const {
  const tensor_address at = cell.address;
  if (at.column < address_.column || at.column >= address_.column + columns) return std::nullopt;
  const std::optional<data_path_row> found = find_row(layout_, m_, cell, address_.lane);
  if (!found) return std::nullopt;
  return matrix_place{found->row, ((at.column - address_.column) * tensor_cell_bits + bit) / bits_};
}

}  // namespace tc::isa
