// SPDX-License-Identifier: Apache-2.0
#include "access_cells.hpp"

#include <algorithm>
#include <cstring>

#include <tc/fabric/extensions.hpp>
#include <tc/fabric/payload_pool.hpp>
#include <tc/tmem/cell_address.hpp>
#include <tc/tmem/extensions.hpp>

namespace tc::subcore {

namespace {}  // namespace

void access_cells::begin(const isa::tensor_access& access) {
  access_ = access;
  const std::vector<isa::column_range> ranges = isa::columns(access);
  parts_.resize(ranges.size());
  for (std::size_t i = 0; i < ranges.size(); ++i) {
    parts_[i].columns = ranges[i];
    parts_[i].bytes.assign(std::size_t{ranges[i].count} * tmem::column_bytes, 0);
    parts_[i].undefined.clear();
  }
  const unsigned first = access.address.lane % isa::chunk_lanes * tmem::cell_bytes;
  enables_.fill(TLM_BYTE_DISABLED);
  std::fill_n(enables_.begin() + first, isa::lanes(access.shape) * tmem::cell_bytes, static_cast<unsigned char>(TLM_BYTE_ENABLED));
}

void access_cells::set_transaction(tlm::tlm_generic_payload& payload, unsigned index, tlm::tlm_command command) {
  part& moved = parts_[index];
  fabric::set_attributes(payload, command, tmem::address_in_chunk({0, moved.columns.first}), moved.bytes.data(),
                         static_cast<unsigned>(moved.bytes.size()));
  if (isa::lanes(access_.shape) != isa::chunk_lanes) {
    payload.set_byte_enable_ptr(enables_.data());
    payload.set_byte_enable_length(static_cast<unsigned>(enables_.size()));
  }
  tmem::warp_access& tag = tmem::warp_access::of(payload);
  tag.shape = access_.shape;
  tag.repeat = access_.repeat;
  tag.packed = access_.packed;
}

void access_cells::note_undefined(const tlm::tlm_generic_payload& payload) {
  const auto* const undefined = payload.get_extension<fabric::undefined_bytes>();
  if (undefined == nullptr || !undefined->any) return;
  for (part& read : parts_)
    if (read.bytes.data() == payload.get_data_ptr()) read.undefined = undefined->flags;
}

isa::tensor_cells access_cells::cells(unsigned index) const {
  const unsigned first = access_.address.lane % isa::chunk_lanes;
  isa::tensor_cells cells;
  cells.columns = parts_[index].columns;
  cells.lanes[access_.address.lane / isa::chunk_lanes] =
      isa::lanes(access_.shape) == isa::chunk_lanes ? ~std::uint32_t{0} : warp::half_mask << first;
  return cells;
}

std::size_t access_cells::offset_of(const part& of, isa::tensor_address cell) const {
  return tmem::address_in_chunk(cell) - std::size_t{of.columns.first} * tmem::column_bytes;
}

std::uint32_t access_cells::word(const part& of, isa::tensor_address cell) const {
  std::uint32_t word = 0;
  std::memcpy(&word, &of.bytes[offset_of(of, cell)], sizeof word);
  return word;
}

void access_cells::put(unsigned reg, const warp::lane_vector& value) {
  for (unsigned thread = 0; thread < warp::lanes_per_warp; ++thread) {
    part& to = parts_[part_of(thread)];
    const isa::register_cells cells = isa::cells_of(access_, thread, reg);
    const std::uint32_t low = cells.high ? value[thread] & warp::half_mask : value[thread], high = value[thread] >> warp::half_bits;
    std::memcpy(&to.bytes[offset_of(to, cells.low)], &low, sizeof low);
    if (cells.high) std::memcpy(&to.bytes[offset_of(to, *cells.high)], &high, sizeof high);
  }
}

warp::lane_vector access_cells::get(unsigned reg) const {
  warp::lane_vector value{};
  for (unsigned thread = 0; thread < warp::lanes_per_warp; ++thread) {
    const part& from = parts_[part_of(thread)];
    const isa::register_cells cells = isa::cells_of(access_, thread, reg);
    const std::uint32_t low = word(from, cells.low);
    value[thread] = cells.high ? (low & warp::half_mask) | word(from, *cells.high) << warp::half_bits : low;
  }
  return value;
}

std::uint32_t access_cells::undefined(unsigned reg) const {
  std::uint32_t lanes = 0;
  for (unsigned thread = 0; thread < warp::lanes_per_warp; ++thread) {
    const part& from = parts_[part_of(thread)];
    if (from.undefined.empty()) continue;
    const isa::register_cells cells = isa::cells_of(access_, thread, reg);
    const auto any = [&](isa::tensor_address cell) {
      const auto first = from.undefined.begin() + static_cast<std::ptrdiff_t>(offset_of(from, cell));
      const std::ptrdiff_t bytes = cells.high ? tmem::cell_bytes / 2 : tmem::cell_bytes;
      return std::any_of(first, first + bytes, [](unsigned char flag) { return flag != 0; });
    };
    if (any(cells.low) || (cells.high && any(*cells.high))) lanes |= std::uint32_t{1} << thread;
  }
  return lanes;
}

}  // namespace tc::subcore
