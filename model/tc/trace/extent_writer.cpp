// SPDX-License-Identifier: Apache-2.0
#include "extent_writer.hpp"

namespace tc::trace {

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
