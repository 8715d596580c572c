#include "warp_player.hpp"

#include <algorithm>
#include <cstring>

#include <tc/trace/warp_extent.hpp>

namespace tc::trace {

warp_player::warp_player(const trace_contents& contents, std::uint32_t position)
    : contents_(&contents), offset_(contents.warp_extents.at(position)), extent_end_(contents.warp_extents.at(position + 1)) {
  buffer_.resize(static_cast<std::size_t>(std::min<std::uint64_t>(buffer_bytes, extent_end_ - offset_)));
  extent_head head;
  const std::uint8_t* in = window(extent_head::max_bytes);
  head.decode(in);
  consume(in);
  warp_ = head.warp;
  codec_ = step_codec(head.line);
  presets_.reserve(head.presets);
  for (std::size_t i = 0; i < head.presets; ++i) {
    in = window(max_preset_bytes);
    presets_.push_back(decode_preset(in));
    consume(in);
  }
}

bool warp_player::next(step& s) {
  const std::uint8_t* in = window(step_codec::max_step_bytes);
  if (begin_ == end_) return false;
  codec_.decode(in, s);
  s.code = &contents_->code[s.code_index].instruction;
  consume(in);
  return true;
}

const std::uint8_t* warp_player::window(std::size_t count) {
  if (end_ - begin_ < count && offset_ < extent_end_) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
    const auto more = static_cast<std::size_t>(std::min<std::uint64_t>(buffer_.size() - end_, extent_end_ - offset_));
    contents_->spool.read(offset_, buffer_.data() + end_, more);
    offset_ += more;
    end_ += more;
  }
  return buffer_.data() + begin_;
}

}  // namespace tc::trace
