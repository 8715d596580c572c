// SPDX-License-Identifier: Apache-2.0
#include "accumulator_layout.hpp"

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

}  // namespace tc::isa
