// SPDX-License-Identifier: Apache-2.0
#include "warp_state.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include <tc/execution/access_request.hpp>
#include <tc/execution/cta_state.hpp>
#include <tc/execution/execution_observer.hpp>
#include <tc/execution/kernel_fault.hpp>
#include <tc/trace/step.hpp>

namespace tc::execution {

namespace {

unsigned first_lane_of(std::uint32_t mask) { return static_cast<unsigned>(__builtin_ctz(mask)); }
bool is_ready_group(const lane_group& group) { return group.waits_for == lane_group::wait::none; }
unsigned lanes_in(std::uint32_t mask) { return static_cast<unsigned>(__builtin_popcount(mask)); }

}  // namespace

warp_state::warp_state(const program& code, cta_state& cta, const warp::warp_context& context, std::uint32_t lanes,
                       execution_counts& counts)
    : code_(code), cta_(cta), context_(context), counts_(counts), registers_(code.registers()), live_(lanes), active_(lanes) {
  ++counts_.warps;
}

const operation& warp_state::operation_at(std::uint32_t pc) const {
  const std::vector<operation>& operations = code_.operations();
  if (pc >= operations.size()) fail(operations.back(), fmt::format("lanes {:08x} go on behind the kernel's last instruction", active_));
  return operations[pc];
}

std::uint32_t warp_state::guarded_lanes(const operation& op) const {
  if (!op.is_guarded) return active_;
  const auto& file = op.guard_file == isa::register_file::predicate ? registers_.predicates : registers_.uniform_predicates;
  const std::uint32_t holds = file[op.guard_index];
  return active_ & (op.guard_is_inverted ? ~holds : holds);
}

/// Counts an instruction, and returns in which lanes it is executed.
inline std::uint32_t warp_state::begin(const operation& op) {
  ++pc_;
  std::uint32_t mask = guarded_lanes(op);
  ++counts_.instructions[static_cast<std::size_t>(op.code->op)];
  counts_.lanes += lanes_in(mask);
  if (active_ != live_) ++counts_.partial;
  if (execution_observer* const observer = cta_.setting().observer; observer != nullptr) mask = observer->executes(*this, op, mask);
  return mask;
}

std::uint64_t warp_state::run(std::uint64_t most) {
  std::uint64_t done = 0;
  for (; done < most && active_ != 0; ++done) {
    const operation& op = operation_at(pc_);
    const std::uint32_t mask = begin(op);
    if (mask != 0) op.execute(*this, op, mask);
  }
  clock_ += done;
  if (active_ != 0) yield();
  return done;
}

const operation* warp_state::next() const {
  if (live_ == 0) return nullptr;
  return &operation_at(pc_);
}

std::uint32_t warp_state::issue(std::uint64_t cycle, access_request& access) {
  clock_ = cycle;
  const operation& op = operation_at(pc_);
  const std::uint32_t mask = begin(op);
  if (mask == 0) return 0;
  if (op.access != nullptr)
    op.access->issue(*this, op, mask, access);
  else
    op.execute(*this, op, mask);
  return mask;
}

// Groups of lanes.

void warp_state::continue_with(std::vector<lane_group>::iterator chosen) {
  active_ = chosen->mask;
  pc_ = chosen->pc;
  apart_ = chosen->apart;
  others_.erase(chosen);
}

/// Another group that can go on becomes the one that runs, the one that was set aside last first.
void warp_state::choose_group() {
  const auto found = std::find_if(others_.rbegin(), others_.rend(), is_ready_group);
  if (found != others_.rend()) continue_with(std::next(found).base());
}

/// Adds lanes that can go on; those at one place go on together.
void warp_state::merge(const lane_group& group) {
  if (active_ != 0 && pc_ == group.pc && apart_ == group.apart) {
    active_ |= group.mask;
    return;
  }
  for (lane_group& other : others_)
    if (other.waits_for == lane_group::wait::none && other.pc == group.pc && other.apart == group.apart) {
      other.mask |= group.mask;
      return;
    }
  lane_group added;
  added.mask = group.mask;
  added.pc = group.pc;
  added.apart = group.apart;
  others_.push_back(added);
}

void warp_state::split(std::uint32_t leaving, std::uint32_t pc) {
  lane_group group;
  group.mask = leaving;
  group.pc = pc;
  group.apart = apart_;
  active_ &= ~leaving;
  merge(group);
  if (active_ == 0) choose_group();
}

void warp_state::diverge(std::uint32_t taken, std::uint32_t pc) {
  const std::uint32_t others = active_ & ~taken;
  if (lanes_in(taken) >= lanes_in(others)) return split(taken, pc);
  lane_group aside;
  aside.mask = others;
  aside.pc = pc_;
  aside.apart = apart_;
  active_ = taken;
  pc_ = pc;
  merge(aside);
}

/// The group that has waited longest becomes the one that runs.
void warp_state::yield() {
  const auto next = std::find_if(others_.begin(), others_.end(), is_ready_group);
  if (next == others_.end()) return;
  lane_group own;
  own.mask = active_;
  own.pc = pc_;
  own.apart = apart_;
  continue_with(next);
  if (own.mask != 0) merge(own);
}

void warp_state::wait(std::uint32_t mask, lane_group group) {
  active_ &= ~mask;
  group.mask = mask;
  group.apart = apart_;
  others_.push_back(group);
  if (group.waits_for != lane_group::wait::barrier) release_converged();
  if (active_ == 0) choose_group();
}

void warp_state::end_lanes(std::uint32_t mask) {
  live_ &= ~mask;
  active_ &= ~mask;
  if (!others_.empty()) release_converged();
  if (active_ == 0) choose_group();
  cta_.lanes_ended();
}

/// Whether all lanes have come that a group waits for.
bool warp_state::is_released(const lane_group& group) const {
  std::uint32_t there = 0;
  for (const lane_group& other : others_)
    if (other.waits_for == group.waits_for && (group.waits_for == lane_group::wait::warp || other.barrier == group.barrier))
      there |= other.mask;
  std::uint32_t needed = group.companions;
  if (group.waits_for == lane_group::wait::convergence) needed = convergence_[group.barrier][first_lane_of(group.mask)];
  return (needed & live_ & ~there) == 0;
}

void warp_state::release_converged() {
  std::vector<lane_group> released;
  for (const lane_group& group : others_) {
    const bool may_be = group.waits_for == lane_group::wait::convergence || group.waits_for == lane_group::wait::warp;
    if (may_be && is_released(group)) released.push_back(group);
  }
  for (const lane_group& group : released) {
    others_.erase(std::find_if(others_.begin(), others_.end(), [&](const lane_group& other) { return other.mask == group.mask; }));
    lane_group free = group;
    free.apart = group.waits_for == lane_group::wait::warp && (group.companions & live_) != live_ ? group.companions & live_ : 0;
    merge(free);
  }
}

void warp_state::release_barrier(unsigned barrier) {
  for (std::size_t i = 0; i < others_.size();) {
    lane_group group = others_[i];
    if (group.waits_for != lane_group::wait::barrier || group.barrier != barrier) {
      ++i;
      continue;
    }
    others_.erase(others_.begin() + static_cast<std::ptrdiff_t>(i));
    group.apart = 0;
    merge(group);
    i = 0;
  }
  if (active_ == 0) choose_group();
}

// Operands.

const warp::lane_vector& warp_state::word(const operation& op, unsigned s, warp::lane_vector& store) const {
  warp::lane_vector unused;
  return *source(op, s, store, unused).low;
}

lanes::lane_source warp_state::source(const operation& op, unsigned s, warp::lane_vector& low, warp::lane_vector& high) const {
  const source_access& access = op.sources[s];
  switch (access.origin) {
    case source_origin::fixed:
      return {access.low, access.high, access.predicate};
    case source_origin::vector: {
      const warp::lane_vector* const first = &registers_.vector[access.index];
      return {first, access.has_high ? first + 1 : nullptr, 0};
    }
    case source_origin::uniform:
      low.fill(registers_.uniform[access.index]);
      if (access.has_high) high.fill(registers_.uniform[access.index + 1U]);
      return {&low, access.has_high ? &high : nullptr, 0};
    case source_origin::predicate:
      return {&low, nullptr, registers_.predicates[access.index]};
    case source_origin::uniform_predicate:
      return {&low, nullptr, registers_.uniform_predicates[access.index]};
    default:
      return indexed_constant(op, s, low, high);
  }
}

lanes::lane_source warp_state::indexed_constant(const operation& op, unsigned s, warp::lane_vector& low, warp::lane_vector& high) const {
  const isa::operand& operand = op.code->sources[s];
  std::array<std::uint64_t, warp::lanes_per_warp> offsets{};
  addresses(operand.memory, offsets);
  for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane) {
    if ((active_ >> lane & 1U) == 0) continue;
    const auto offset = static_cast<std::uint32_t>(offsets[lane]);
    const auto first = code_.constants().word(operand.bank, offset), second = code_.constants().word(operand.bank, offset + 4);
    if (!first) fail(op, lane, fmt::format("the launch does not say what is in c[{:#x}][{:#x}]", operand.bank, offset));
    low[lane] = *first;
    high[lane] = second.value_or(0);
  }
  return {&low, &high, 0};
}

std::uint32_t warp_state::predicate(const operation& op, unsigned s) const {
  const source_access& access = op.sources[s];
  std::uint32_t value = access.predicate;
  if (access.origin == source_origin::predicate) value = registers_.predicates[access.index];
  if (access.origin == source_origin::uniform_predicate) value = registers_.uniform_predicates[access.index];
  return op.code->sources[s].inverted ? ~value : value;
}

void warp_state::write(const isa::operand& destination, unsigned i, const warp::lane_vector& value, std::uint32_t mask) {
  if (destination.file == isa::register_file::uniform) {
    if (destination.index != isa::zero_uniform_register) registers_.uniform[destination.index + i] = value[first_lane_of(mask)];
    return;
  }
  if (destination.index == isa::zero_register) return;
  warp::lane_vector& to = registers_.vector[destination.index + i];
  if (mask == ~0U) {
    to = value;
    return;
  }
  for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane) to[lane] = (mask >> lane & 1U) != 0 ? value[lane] : to[lane];
}

void warp_state::write_predicate(const isa::operand& destination, std::uint32_t value, std::uint32_t mask) {
  if (destination.index == isa::true_predicate) return;
  if (destination.file == isa::register_file::uniform_predicate) {
    registers_.uniform_predicates[destination.index] = (value >> first_lane_of(mask) & 1U) != 0 ? ~0U : 0;
    return;
  }
  std::uint32_t& to = registers_.predicates[destination.index];
  to = (to & ~mask) | (value & mask);
}

void warp_state::addresses(const isa::memory_reference& memory, std::array<std::uint64_t, warp::lanes_per_warp>& to) const {
  auto fixed = static_cast<std::uint64_t>(std::int64_t{memory.offset});
  if (memory.uniform != isa::zero_uniform_register) {
    if (memory.uniform_count > 0) fixed += registers_.uniform[memory.uniform];
    if (memory.uniform_count > 1) fixed += std::uint64_t{registers_.uniform[memory.uniform + 1U]} << 32U;
  }
  if (memory.base == isa::zero_register || memory.base_count == 0) {
    to.fill(fixed);
    return;
  }
  const warp::lane_vector& low = registers_.vector[memory.base];
  if (memory.base_count == 1) {
    for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane) to[lane] = fixed + std::uint64_t{low[lane]} * memory.scale;
    return;
  }
  const warp::lane_vector& high = registers_.vector[memory.base + 1U];
  for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane) to[lane] = fixed + (std::uint64_t{high[lane]} << 32U | low[lane]);
}

// Messages.

void warp_state::fail(const operation& op, const std::string& message) const {
  const auto [x, y, z] = context_.cta_id;
  throw kernel_fault(fmt::format("{}, warp {} of CTA {} {} {}: {}", code_.place(op), context_.warp_in_cta, x, y, z, message));
}

void warp_state::fail(const operation& op, unsigned lane, const std::string& message) const {
  const auto [x, y, z] = context_.cta_id;
  throw kernel_fault(
      fmt::format("{}, lane {} of warp {} of CTA {} {} {}: {}", code_.place(op), lane, context_.warp_in_cta, x, y, z, message));
}

std::string warp_state::waiting_text() const {
  std::string text;
  for (const lane_group& group : others_) {
    const char* const what = group.waits_for == lane_group::wait::barrier       ? "barrier"
                             : group.waits_for == lane_group::wait::convergence ? "convergence barrier"
                                                                                : "other lanes, not barrier";
    text += fmt::format("{}lanes {:08x} of warp {} in front of {:#06x} wait for {} {}", text.empty() ? "" : ", ", group.mask,
                        context_.warp_in_cta, group.pc * trace::instruction_bytes, what, group.barrier);
  }
  return text;
}

}  // namespace tc::execution
