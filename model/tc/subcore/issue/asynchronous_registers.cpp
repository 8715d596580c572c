// SPDX-License-Identifier: Apache-2.0
#include "asynchronous_registers.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace tc::subcore {

namespace {

bool is_same_shape(const isa::wgmma_operation& x, const isa::wgmma_operation& y) {
  return x.mma.n == y.mma.n && x.mma.d == y.mma.d && x.accumulators == y.accumulators;
}

bool contains(const std::vector<std::uint8_t>& registers, unsigned reg) {
  return std::find(registers.begin(), registers.end(), reg) != registers.end();
}

}  // namespace

std::string asynchronous_registers::violation::text() const {
  switch (broken) {
    case rule::accumulator_in_use:
      return fmt::format("uses R{}, an accumulator of {}, before wgmma.wait_group", reg, culprit->text);
    case rule::operand_in_use:
      return fmt::format("writes R{}, which {} reads, before wgmma.wait_group", reg, culprit->text);
    case rule::not_fenced:
      break;
  }
  return fmt::format("uses R{} without a wgmma.fence behind its last access", reg);
}

std::optional<asynchronous_registers::violation> asynchronous_registers::issued(const isa::instruction& code) {
  if (code.asynchronous == nullptr) return access(code);
  if (const auto* const operation = isa::wgmma_of(code)) return multiply(code, *operation);
  if (const auto* const control = std::get_if<isa::async_control_operation>(code.asynchronous.get())) {
    if (control->control == isa::async_control::warpgroup_arrive) touched_.reset();
    if (control->control == isa::async_control::warpgroup_commit) ++group_;
  }
  return std::nullopt;
}

std::optional<asynchronous_registers::violation> asynchronous_registers::multiply(const isa::instruction& code,
                                                                                  const isa::wgmma_operation& operation) {
  std::optional<violation> broken;
  const auto check = [&](std::uint8_t reg) {
    if (!broken && touched_[reg]) broken = violation{rule::not_fenced, reg, nullptr};
  };
  const auto differs = [&](const in_flight& other) { return !is_same_shape(*other.operation, operation); };
  const bool any_differs = std::any_of(in_flight_.begin(), in_flight_.end(), differs);
  for (const std::uint8_t reg : operation.accumulators) {
    check(reg);
    if (!any_differs || broken || !(accumulators_[reg] || operands_[reg])) continue;
    for (const in_flight& other : in_flight_)
      if (!broken && differs(other) && (contains(other.operation->accumulators, reg) || contains(other.operation->a_registers, reg)))
        broken = violation{rule::accumulator_in_use, reg, other.code};
  }
  for (const std::uint8_t reg : operation.a_registers) {
    check(reg);
    if (!broken && accumulators_[reg]) broken = violation{rule::accumulator_in_use, reg, user_of(reg, true)};
  }
  in_flight_.push_back({&code, &operation, group_});
  for (const std::uint8_t reg : operation.accumulators) accumulators_.set(reg);
  for (const std::uint8_t reg : operation.a_registers) operands_.set(reg);
  return broken;
}

std::optional<asynchronous_registers::violation> asynchronous_registers::access(const isa::instruction& code) {
  std::optional<violation> broken;
  const auto visit = [&](const isa::register_use_list& uses, bool writes) {
    for (const isa::register_use& use : uses) {
      if (use.file != isa::register_file::vector) continue;
      for (unsigned reg = use.index; reg < unsigned{use.index} + use.count; ++reg) {
        touched_.set(reg);
        if (broken) continue;
        if (accumulators_[reg]) broken = violation{rule::accumulator_in_use, static_cast<std::uint8_t>(reg), user_of(reg, true)};
        if (!broken && writes && operands_[reg])
          broken = violation{rule::operand_in_use, static_cast<std::uint8_t>(reg), user_of(reg, false)};
      }
    }
  };
  visit(code.reads, false);
  visit(code.writes, true);
  return broken;
}

const isa::instruction* asynchronous_registers::user_of(unsigned reg, bool as_accumulator) const {
  for (const in_flight& each : in_flight_)
    if (contains(as_accumulator ? each.operation->accumulators : each.operation->a_registers, reg)) return each.code;
  return nullptr;
}

void asynchronous_registers::waited(unsigned pending) {
  while (!in_flight_.empty() && in_flight_.front().group + pending < group_) in_flight_.pop_front();
  collect();
}

void asynchronous_registers::collect() {
  accumulators_.reset();
  operands_.reset();
  for (const in_flight& each : in_flight_) {
    for (const std::uint8_t reg : each.operation->accumulators) accumulators_.set(reg);
    for (const std::uint8_t reg : each.operation->a_registers) operands_.set(reg);
  }
}

}  // namespace tc::subcore
