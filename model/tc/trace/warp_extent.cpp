// SPDX-License-Identifier: Apache-2.0
#include "warp_extent.hpp"

namespace tc::trace {

std::uint8_t* extent_head::encode(std::uint8_t* out) const { return put_varint(put_varint(put_varint(out, warp), line), presets); }

void extent_head::decode(const std::uint8_t*& in) {
  warp = static_cast<unsigned>(get_varint(in));
  line = get_varint(in);
  presets = get_varint(in);
}

std::uint8_t* encode_preset(const register_preset& preset, std::uint8_t* out) {
  *out++ = static_cast<std::uint8_t>(preset.file);
  *out++ = preset.index;
  for (const std::uint32_t value : preset.values) out = put_varint(out, value);
  return out;
}

register_preset decode_preset(const std::uint8_t*& in) {
  register_preset preset;
  preset.file = static_cast<isa::register_file>(*in++);
  preset.index = *in++;
  for (std::uint32_t& value : preset.values) value = static_cast<std::uint32_t>(get_varint(in));
  return preset;
}

}  // namespace tc::trace
