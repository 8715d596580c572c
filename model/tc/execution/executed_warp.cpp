// SPDX-License-Identifier: Apache-2.0
#include "executed_warp.hpp"

#include <array>
#include <utility>

#include <fmt/format.h>

#include <tc/execution/program.hpp>
#include <tc/execution/traced_form.hpp>
#include <tc/execution/warp_state.hpp>
#include <tc/trace/code_decoder.hpp>
#include <tc/trace/text_cursor.hpp>

namespace tc::execution {

namespace {

/// Traces have no addresses of these.
bool is_indexed_constant(const isa::instruction& code) {
  if (isa::unit_of(code.op) != isa::execution_unit::constant_load) return false;
  const isa::operand& source = code.sources[0];
  return source.what == isa::operand::kind::constant && source.memory.base != isa::zero_register && source.memory.base_count > 0;
}

trace::address_list constant_addresses(const warp_state& warp, const operation& op, std::uint32_t mask) {
  std::array<std::uint64_t, warp::lanes_per_warp> computed{};
  warp.addresses(op.code->sources[0].memory, computed);
  trace::address_list addresses;
  trace::for_each_lane(mask, [&](unsigned lane) { addresses.set(lane, computed[lane]); });
  return addresses;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin);
    lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

}  // namespace

const isa::instruction& traced_code::decoded(const std::string& text, std::uint64_t line) {
  const auto known = decoded_.find(text);
  if (known != decoded_.end()) return known->second;
  trace::instruction_line parts;
  parts.code = text;
  trace::code_entry entry = trace::decode_code(text, header_, header_.registers, parts, trace::text_cursor({file_, line, text}));
  return decoded_.emplace(text, std::move(entry.instruction)).first->second;
}

executed_warp::executed_warp(std::shared_ptr<cta_state> cta, unsigned warp, traced_code& code)
    : cta_(std::move(cta)), warp_(cta_->warp(warp)), code_(code) {}

bool executed_warp::next(trace::step& s) {
  s.access = 0;
  s.addresses.clear();
  if (next_line_ < lines_.size()) {
    is_behind_ = true;
    take_line();
  } else {
    is_behind_ = false;
    upcoming_ = warp_.next();
    if (upcoming_ == nullptr) return false;
    const std::string& unknown = warp_.code().listed(*upcoming_).unknown;
    if (!unknown.empty()) warp_.fail(*upcoming_, "not executed: " + unknown);
    find_form(warp_.active());
  }
  tell(s);
  return true;
}

void executed_warp::find_form(std::uint32_t mask) {
  lines_.clear();
  next_line_ = 0;
  code_index_ = code_.index(*upcoming_);
  if (code_index_ != traced_code::none) return;
  const bool is_ptx = form_of(warp_.code(), *upcoming_) == traced_form::ptx;
  lines_ = lines_of(is_ptx ? ptx_lines(warp_, *upcoming_) : numbered_line(warp_, *upcoming_, mask));
  if (lines_.empty()) warp_.fail(*upcoming_, "the machine has no such instruction");
  take_line();
}

void executed_warp::take_line() { own_ = &code_.decoded(behind_pc(lines_[next_line_++]), warp_.code().listed(*upcoming_).listing_line); }

void executed_warp::tell(trace::step& s) const {
  s.pc = upcoming_->code->pc;
  s.line = warp_.code().listed(*upcoming_).listing_line;
  s.mask = warp_.active();
  s.code_index = code_index_;
  if (code_index_ == own_code) s.code = own_;
}

void executed_warp::issue(trace::step& s, std::uint64_t cycle) {
  s.access = 0;
  s.condition = trace::all_lanes;
  s.addresses.clear();
  if (is_behind_) {
    tell(s);
    s.mask = last_mask_;
    return;
  }
  const operation& op = *upcoming_;
  const std::uint32_t mask = warp_.guarded_lanes(op);
  if (code_index_ == own_code) find_form(mask);
  tell(s);
  const bool is_barrier = isa::role_of(op.code->op) == isa::issue_role::arrives_at_barrier;
  if (is_barrier && mask != 0 && mask != warp_.live())
    warp_.fail(op,
               fmt::format("lanes {:08x} of {:08x} come to a barrier: a barrier for a part of a warp is not timed", mask, warp_.live()));
  s.addresses = is_indexed_constant(*op.code) ? constant_addresses(warp_, op, mask) : traced_addresses(warp_, op, mask);
  std::uint32_t number = 0;
  access_request& request = new_request(number);
  s.mask = last_mask_ = warp_.issue(cycle, request);
  take_turns();
  if (op.access == nullptr || s.mask == 0) return free_.push_back(number);
  s.condition = request.lanes;
  s.access = number;
}

/// Lanes that wait for what others of their warp store would wait for ever if these never had their turn.
void executed_warp::take_turns() {
  constexpr unsigned longest_turn = 4096;
  if (++turn_ < longest_turn) return;
  turn_ = 0;
  warp_.yield();
}

access_request& executed_warp::new_request(std::uint32_t& number) {
  if (free_.empty()) {
    requests_.emplace_back();
    free_.push_back(static_cast<std::uint32_t>(requests_.size()));
  }
  number = free_.back();
  free_.pop_back();
  return requests_[number - 1].request;
}

/// Of a copy first the read, then the arrival.
void executed_warp::perform(std::uint32_t access) {
  pending_access& pending = requests_[access - 1];
  const access_parts& parts = *pending.request.op->access;
  if (!pending.has_read) {
    parts.perform(warp_, pending.request);
    pending.has_read = parts.arrive != nullptr;
    if (pending.has_read) return;
  } else {
    parts.arrive(warp_, pending.request);
    pending.has_read = false;
  }
  free_.push_back(access);
}

}  // namespace tc::execution
