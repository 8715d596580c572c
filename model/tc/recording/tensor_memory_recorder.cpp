// SPDX-License-Identifier: Apache-2.0
#include "tensor_memory_recorder.hpp"

#include <algorithm>

#include <tc/fabric/extensions.hpp>
#include <tc/links/arrival_cycle.hpp>
#include <tc/recording/record_types.hpp>
#include <tc/tmem/cell_address.hpp>
#include <tc/tmem/extensions.hpp>

namespace tc::recording {

namespace {

enum class cell_access : std::uint64_t { read, write, shift, clear };  // as cell_access_kinds

constexpr std::uint64_t index(cell_access kind) { return static_cast<std::uint64_t>(kind); }

std::uint64_t record_of(const tlm::tlm_generic_payload& payload) {
  const auto* const tag = payload.get_extension<fabric::warp_tag>();
  return tag == nullptr ? 0 : tag->record;
}

/// The lanes of a chunk, first and count, that an access of so many columns reaches: with byte enables those from the first enabled one to
/// the last, which repeat from column to column.
std::pair<std::uint64_t, std::uint64_t> lanes_of(const tlm::tlm_generic_payload& payload, std::uint64_t columns) {
  const std::uint64_t first = payload.get_address() % tmem::column_bytes / tmem::cell_bytes;
  if (columns == 1 && payload.get_byte_enable_ptr() == nullptr) return {first, payload.get_data_length() / tmem::cell_bytes};
  std::uint64_t begin = 0, end = isa::chunk_lanes;
  if (payload.get_byte_enable_ptr() != nullptr && payload.get_byte_enable_length() == tmem::column_bytes) {
    const auto is_enabled = [&](std::uint64_t lane) {
      return payload.get_byte_enable_ptr()[(lane + isa::chunk_lanes - first) % isa::chunk_lanes * tmem::cell_bytes] == TLM_BYTE_ENABLED;
    };
    while (begin < end && !is_enabled(begin)) ++begin;
    while (end > begin && !is_enabled(end - 1)) --end;
  }
  return {begin, end - begin};
}

}  // namespace

tensor_memory_recorder::tensor_memory_recorder(fabric::recorder& records, const fabric::clock_domain& clock, const std::string& memory)
    : records_(records), clock_(clock) {
  for (std::size_t c = 0; c < chunks_.size(); ++c)
    chunks_[c] = &records.add_stream(memory + ".chunk_" + std::to_string(c), cell_access_type);
}

void tensor_memory_recorder::arrives(const std::string& link, std::uint64_t base, const tlm::tlm_generic_payload& payload, cycle_t cycle) {
  if (payload.get_command() != tlm::TLM_IGNORE_COMMAND) return access(link, base, payload, cycle);
  if (payload.get_extension<tmem::lane_shift>() != nullptr) shifting_[&payload] = cycle;
  if (payload.get_extension<fabric::new_region>() != nullptr) cleared(payload, cycle);
}

void tensor_memory_recorder::access(const std::string& link, std::uint64_t base, const tlm::tlm_generic_payload& payload, cycle_t cycle) {
  const std::uint64_t first = base + payload.get_address(), last = first + payload.get_data_length() - 1;
  const std::uint64_t chunk = first / tmem::chunk_bytes, place = first % tmem::chunk_bytes;
  if (chunk >= chunks_.size() || payload.get_data_length() == 0) return;
  const std::uint64_t column = place / tmem::column_bytes, columns = last % tmem::chunk_bytes / tmem::column_bytes - column + 1;
  const auto [lane, lanes] = lanes_of(payload, columns);
  const cell_access kind = payload.is_write() ? cell_access::write : cell_access::read;
  open_[&payload] = {
      chunks_[chunk],
      records_.begin(*chunks_[chunk], cycle, {index(kind), chunk * isa::chunk_lanes + lane, lanes, column, columns, std::string_view(link)},
                     record_of(payload))};
}

void tensor_memory_recorder::answered(const tlm::tlm_generic_payload& payload, cycle_t cycle) {
  if (shifting_.count(&payload) != 0) return shifted(payload);
  const auto found = open_.find(&payload);
  if (found == open_.end()) return;
  records_.end(*found->second.first, found->second.second, cycle);
  open_.erase(found);
}

/// The answer comes when a commit may tell of it; the cells have moved before.
void tensor_memory_recorder::shifted(const tlm::tlm_generic_payload& payload) {
  const cycle_t arrival = shifting_[&payload];
  shifting_.erase(&payload);
  const tmem::lane_shift& shift = *payload.get_extension<tmem::lane_shift>();
  if (!shift.noted || payload.is_response_error()) return;
  const cycle_t moved = links::arrival_cycle(clock_, shift.moved_after);
  const cycle_t begin = std::min(std::max({arrival, shift_free_, clock_.cycle()}), moved);
  shift_free_ = moved;
  for (std::size_t c = 0; c < chunks_.size(); ++c)
    records_.span(*chunks_[c], begin, moved,
                  {index(cell_access::shift), std::uint64_t{c * isa::chunk_lanes}, std::uint64_t{isa::chunk_lanes},
                   std::uint64_t{shift.first_column}, std::uint64_t{tmem::lane_shift::columns}, std::string_view("shift")},
                  record_of(payload));
}

void tensor_memory_recorder::cleared(const tlm::tlm_generic_payload& payload, cycle_t cycle) {
  const fabric::new_region& region = *payload.get_extension<fabric::new_region>();
  const std::uint64_t chunk = region.base / tmem::chunk_bytes;
  if (chunk >= chunks_.size()) return;
  records_.span(*chunks_[chunk], cycle, cycle + 1,
                {index(cell_access::clear), chunk * isa::chunk_lanes, std::uint64_t{isa::chunk_lanes},
                 region.base % tmem::chunk_bytes / tmem::column_bytes, region.bytes / tmem::column_bytes, std::string_view("allocation")},
                record_of(payload));
}

}  // namespace tc::recording
