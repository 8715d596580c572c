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

std::uint64_t extent_writer::begin(unsigned warp, std::uint64_t line) {
  warp_ = warp;
  line_ = line;
  presets_.clear();
  codec_ = step_codec(line);
  empty_ = true;
  return spool_.size();
}

void extent_writer::add(const step& s) {
  if (empty_) write_head();
  empty_ = false;
  spool_.commit(codec_.encode(s, spool_.reserve(step_codec::max_step_bytes)));
}

void extent_writer::write_head() {
  extent_head head;
  head.warp = warp_;
  head.line = line_;
  head.presets = presets_.size();
  std::uint8_t* out = head.encode(spool_.reserve(extent_head::max_bytes + presets_.size() * max_preset_bytes));
  for (const register_preset& preset : presets_) out = encode_preset(preset, out);
  spool_.commit(out);
}

}  // namespace tc::trace
