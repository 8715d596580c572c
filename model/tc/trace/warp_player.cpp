// SPDX-License-Identifier: Apache-2.0
#include "warp_player.hpp"

#include <algorithm>
#include <cstring>

#include <tc/trace/instruction_check.hpp>
#include <tc/trace/trace_error.hpp>
#include <tc/trace/warp_extent.hpp>

namespace tc::trace {

warp_player::warp_player(const trace_contents& contents, std::uint32_t position)
    : contents_(&contents), offset_(contents.warp_extents.at(position)), extent_end_(contents.warp_extents.at(position + 1)) {
  const std::uint64_t most = contents.steps->piece_bytes() + step_codec::max_step_bytes;
  buffer_.resize(static_cast<std::size_t>(std::min(most, extent_end_ - offset_ + step_codec::max_step_bytes)));
  extent_head head;
  const std::uint8_t* in = window(extent_head::max_bytes);
  head.decode(in);
  consume(in);
  warp_ = head.warp;
  line_ = head.line;
  codec_ = step_codec(head.line);
  for (std::size_t i = 0; i < head.presets && begin_ <= end_; ++i) {
    in = window(max_preset_bytes);
    presets_.push_back(decode_preset(in));
    consume(in);
  }
  if (begin_ > end_ || !fits()) fail();
  lanes_ = contents.header.lanes_of_warp(warp_);
  is_foreign_ = contents.steps->is_foreign();
}

warp_player::warp_player(const trace_contents& contents, const cta_entry& cta, unsigned warp)
    : contents_(&contents), made_(contents.maker->play(cta, warp)), warp_(warp) {}

warp_player::warp_player(const trace_contents& contents, const cta_entry& cta, unsigned warp, step_run& run, unsigned sm)
    : contents_(&contents), made_(run.play(cta, warp, sm)), warp_(warp), is_executed_(true) {}

bool warp_player::next(step& s) {
  if (made_ == nullptr) return next_packed(s);
  if (!made_->next(s)) return false;
  find_code(s);
  return true;
}

void warp_player::issue(step& s, std::uint64_t cycle) {
  made_->issue(s, cycle);
  find_code(s);
}

void warp_player::find_code(step& s) {
  form_ = s.code_index;
  if (form_ != made_steps::own_code) s.code = contents_->forms[form_].code;
}

bool warp_player::next_packed(step& s) {
  const std::uint8_t* in = window(step_codec::max_step_bytes);
  if (begin_ == end_) return false;
  codec_.decode(in, s);
  consume(in);
  form_ = s.code_index;
  if (form_ >= contents_->forms.size() || begin_ > end_) fail();
  const step_form& form = contents_->forms[form_];
  s.code_index = form.code_index;
  s.code = form.code;
  const bool is_correct = form.is_checked_at_a_glance && s.addresses.empty() && (s.mask & ~lanes_) == 0;
  if (is_foreign_ && !is_correct) check(s);
  return true;
}

const std::uint8_t* warp_player::refill(std::size_t count) {
  while (end_ - begin_ < count && offset_ < extent_end_) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
    const auto room = static_cast<std::size_t>(std::min<std::uint64_t>(buffer_.size() - end_, extent_end_ - offset_));
    const std::size_t more = contents_->steps->read(offset_, buffer_.data() + end_, room);
    offset_ += more;
    end_ += more;
  }
  return buffer_.data() + begin_;
}

bool warp_player::fits() const {
  const auto is_there = [&](const register_preset& preset) {
    return preset.index < register_count(preset.file, contents_->header.registers);
  };
  return warp_ < contents_->header.warps_per_cta() && std::all_of(presets_.begin(), presets_.end(), is_there);
}

void warp_player::check(const step& s) const {
  const code_table& code = contents_->code;
  check_step(s, code[s.code_index], warp_, contents_->header, text_cursor({contents_->name, s.line, code.text(s.code_index)}));
}

void warp_player::fail() const {
  throw trace_error(contents_->name, line_, 1, "the packed steps of the warp make no sense, although they agree with their checksum");
}

}  // namespace tc::trace
