// SPDX-License-Identifier: Apache-2.0
#include "scale_factor_layout.hpp"

#include <stdexcept>

#include <fmt/format.h>

#include <tc/isa/tcgen05/accumulator_layout.hpp>

namespace tc::isa {
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

}  // namespace tc::isa
