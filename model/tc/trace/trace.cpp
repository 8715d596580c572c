// SPDX-License-Identifier: Apache-2.0
#include "trace.hpp"

#include <bitset>
#include <stdexcept>

#include <fmt/format.h>

#include <tc/trace/instruction_check.hpp>
#include <tc/trace/limits.hpp>
#include <tc/trace/trace_error.hpp>

namespace tc::trace {

template <class Ended>
void trace::verify_steps(const progress_listener& progress, const Ended& ended) const {
  constexpr std::uint64_t steps_of_a_piece = 1 << 16;
  const trace_contents& contents = *contents_;
  std::uint64_t left = contents.instructions;
  const auto check = [&](warp_player player) {
    step s;
    for (; player.next(s); --left) {
      if (left == 0)
        throw trace_error(contents.name, s.line, 1, fmt::format("more instructions than the {} that the trace has", contents.instructions));
      check_step(s, contents.code[s.code_index], player.warp(), contents.header,
                 text_cursor({contents.name, s.line, contents.code.text(s.code_index)}));
      if (progress && left % steps_of_a_piece == 0) progress(contents.instructions - left, contents.instructions);
    }
    ended(player, s);
  };
  if (contents.maker != nullptr) {
    for (const cta_entry& cta : contents.ctas)
      for (std::uint32_t warp = 0; warp < cta.warp_count; ++warp) check(play(cta, warp));
    return;
  }
  contents.steps->verify();
  for (std::uint32_t position = 0; position + 1 < contents.warp_extents.size(); ++position) check(warp_player(contents, position));
  for (const cta_entry& cta : contents.ctas) verify_warps(cta);
}

void trace::verify(const progress_listener& progress) const {
  verify_steps(progress, [](const warp_player&, const step&) {});
}

void trace::verify_whole(const progress_listener& progress) const {
  verify_steps(progress, [this](const warp_player& player, const step& last) {
    if (last.code != nullptr && isa::role_of(last.code->op) != isa::issue_role::exits)
      throw trace_error(contents_->name, last.line, 1,
                        fmt::format("warp {} ends here, but not with an EXIT: the trace is cut off", player.warp()));
  });
  const unsigned warps = contents_->header.warps_per_cta();
  for (const cta_entry& cta : contents_->ctas) {
    if (cta.warp_count == warps) continue;
    warp_player player = play(cta, cta.warp_count - 1);
    step last;
    while (player.next(last)) {
    }
    throw trace_error(contents_->name, last.line, 1,
                      fmt::format("CTA {} {} {} ends here with {} of its {} warps: the trace is cut off, or the block is another one",
                                  cta.x, cta.y, cta.z, cta.warp_count, warps));
  }
}

void trace::verify_warps(const cta_entry& cta) const {
  std::bitset<max_block_threads / warp_lanes> seen;
  for (std::uint32_t warp = 0; warp < cta.warp_count; ++warp) {
    warp_player player = play(cta, warp);
    const auto fail = [&](const char* what) {
      throw trace_error(contents_->name, player.line(), 1, fmt::format("warp {} {}", player.warp(), what));
    };
    if (seen[player.warp()]) fail("is given twice in this CTA");
    seen.set(player.warp());
    if (step s; !player.next(s)) fail("has no instructions");
  }
}

warp_player trace::play(const cta_entry& cta, std::uint32_t index) const {
  if (index >= cta.warp_count) throw std::out_of_range(fmt::format("warp {} of a CTA that has {}", index, cta.warp_count));
  if (contents_->maker != nullptr) return {*contents_, cta, index};
  return {*contents_, cta.first_warp + index};
}

warp_player trace::play(const cta_entry& cta, std::uint32_t index, step_run& run, unsigned sm) const {
  if (index >= cta.warp_count) throw std::out_of_range(fmt::format("warp {} of a CTA that has {}", index, cta.warp_count));
  return {*contents_, cta, index, run, sm};
}

trace_summary trace::summary() const {
  trace_summary numbers;
  numbers.kernel = contents_->header.kernel;
  numbers.ctas = contents_->ctas.size();
  for (const cta_entry& cta : contents_->ctas) numbers.warps += cta.warp_count;
  numbers.instructions = contents_->instructions;
  numbers.distinct_instructions = contents_->code.size();
  for (std::uint32_t i = 0; i < contents_->code.size(); ++i) {
    const code_entry& entry = contents_->code[i];
    const std::string& text = entry.instruction.text;
    numbers.opcodes[text.substr(0, text.find(' '))] += entry.executions;
  }
  return numbers;
}

}  // namespace tc::trace
