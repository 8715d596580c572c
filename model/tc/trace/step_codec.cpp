// SPDX-License-Identifier: Apache-2.0
#include "step_codec.hpp"

namespace tc::trace {
namespace {

// The head of a packed step: flags, and above them the difference of the code index.
constexpr unsigned pc_flag = 1, mask_flag = 2, line_flag = 4;  ///< the field differs from the prediction and follows
constexpr unsigned strided_flag = 8, listed_flag = 16;         ///< addresses: first and stride, or first and differences
constexpr unsigned all_lanes_flag = warp_lanes;                ///< every lane has an address, not the active ones alone
constexpr unsigned flag_bits = 6;

/// The set without its lowest lane.
constexpr lane_mask without_first(lane_mask lanes) { return lanes & (lanes - 1); }

/// Distance of neighbouring lanes if the addresses were evenly spaced, by the lowest lane and the next; 0 if that has none.
std::uint64_t guess_stride(const address_list& addresses) {
  const unsigned first = first_lane(addresses.lanes());
  const bool neighbour = first + 1 < warp_lanes && has_lane(addresses.lanes(), first + 1);
  return neighbour ? addresses[first + 1] - addresses[first] : 0;
}

/// True if every address is `stride` times the lane's distance from the lowest lane beyond that lane's address.
bool is_strided(const address_list& addresses, std::uint64_t stride) {
  const unsigned first = first_lane(addresses.lanes());
  bool strided = true;
  for_each_lane(addresses.lanes(),
                [&](unsigned lane) { strided = strided && addresses[lane] == addresses[first] + stride * (lane - first); });
  return strided;
}

std::uint8_t* put_list(const address_list& addresses, std::uint8_t* out) {
  std::uint64_t previous = addresses[first_lane(addresses.lanes())];
  for_each_lane(without_first(addresses.lanes()), [&](unsigned lane) {
    out = put_varint(out, zigzag(addresses[lane] - previous));
    previous = addresses[lane];
  });
  return out;
}

/// Reads the addresses of `lanes`, of which the lowest has the address `first`.
void get_addresses(const std::uint8_t*& in, bool strided, lane_mask lanes, std::uint64_t first, address_list& addresses) {
  if (strided) return addresses.set_strided(lanes, first, unzigzag(get_varint(in)));
  std::uint64_t address = first;
  addresses.set(first_lane(lanes), first);
  for_each_lane(without_first(lanes), [&](unsigned lane) {
    address += unzigzag(get_varint(in));
    addresses.set(lane, address);
  });
}

}  // namespace

std::uint8_t* step_codec::encode(const step& s, std::uint8_t* out) {
  const std::uint64_t stride = s.addresses.empty() ? 0 : guess_stride(s.addresses);
  unsigned flags = (s.pc != next_pc_ ? pc_flag : 0) | (s.mask != mask_ ? mask_flag : 0) | (s.line != line_ + 1 ? line_flag : 0);
  if (!s.addresses.empty()) {
    flags |= is_strided(s.addresses, stride) ? strided_flag : listed_flag;
    if (s.addresses.lanes() != s.mask) flags |= all_lanes_flag;
  }
  out = put_varint(out, zigzag(std::uint64_t{s.code_index} - next_code_) << flag_bits | flags);
  if (flags & pc_flag) out = put_varint(out, zigzag(std::uint64_t{s.pc} - next_pc_));
  if (flags & mask_flag) out = put_varint(out, s.mask);
  if (flags & line_flag) out = put_varint(out, s.line - line_);
  if (!s.addresses.empty()) {
    const std::uint64_t first = s.addresses[first_lane(s.addresses.lanes())];
    out = put_varint(out, zigzag(first - address_));
    address_ = first;
    out = flags & strided_flag ? put_varint(out, zigzag(stride)) : put_list(s.addresses, out);
  }
  follow(s);
  return out;
}

void step_codec::decode(const std::uint8_t*& in, step& s) {
  const std::uint64_t head = get_varint(in);
  s.code_index = next_code_ + static_cast<std::uint32_t>(unzigzag(head >> flag_bits));
  s.pc = next_pc_ + (head & pc_flag ? static_cast<std::uint32_t>(unzigzag(get_varint(in))) : 0);
  s.mask = head & mask_flag ? static_cast<lane_mask>(get_varint(in)) : mask_;
  s.line = line_ + (head & line_flag ? get_varint(in) : 1);
  s.addresses.clear();
  if (head & (strided_flag | listed_flag)) {
    const lane_mask lanes = head & all_lanes_flag ? all_lanes : s.mask;
    address_ += unzigzag(get_varint(in));
    if (lanes != 0) get_addresses(in, (head & strided_flag) != 0, lanes, address_, s.addresses);
  }
  follow(s);
}

void step_codec::follow(const step& s) {
  next_code_ = s.code_index + 1;
  next_pc_ = s.pc + instruction_bytes;
  mask_ = s.mask;
  line_ = s.line;
}

}  // namespace tc::trace
