// SPDX-License-Identifier: Apache-2.0
#include "undefined_values.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <tc/execution/cta_state.hpp>
#include <tc/execution/steps.hpp>
#include <tc/execution/undefined_access.hpp>
#include <tc/execution/warp_state.hpp>
#include <tc/isa/special_register.hpp>
#include <tc/lanes/lane_operations.hpp>

namespace tc::execution {

namespace {

using isa::register_file;

bool is_missing(const warp::constant_memory& constants, unsigned bank, std::uint32_t offset, unsigned bytes) {
  constexpr unsigned word_bytes = 4;
  for (unsigned at = 0; at < bytes; at += word_bytes)
    if (!constants.number(bank, offset + at, std::min(bytes - at, word_bytes))) return true;
  return false;
}

/// The lanes, of those that run, in which an indexed constant is not given.
std::uint32_t lanes_without_constant(const warp_state& warp, const isa::operand& operand, unsigned bytes) {
  std::array<std::uint64_t, warp::lanes_per_warp> offsets{};
  warp.addresses(operand.memory, offsets);
  std::uint32_t missing = operand.memory.descriptor != isa::zero_uniform_register ? ~0U : 0;
  for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane) {
    if (is_missing(warp.code().constants(), operand.bank, static_cast<std::uint32_t>(offsets[lane]), bytes)) missing |= 1U << lane;
  }
  return missing & warp.active();
}

/// The lanes in which a constant among the operands is not given.
std::uint32_t lanes_without_operand(const warp_state& warp, const operation& op) {
  constexpr unsigned word_bytes = 4;
  std::uint32_t missing = 0;
  for (unsigned s = 0; s < op.code->source_count; ++s) {
    if (op.sources[s].origin == source_origin::missing_constant) missing = ~0U;
    if (op.sources[s].origin == source_origin::indexed_constant && op.execute != steps::load_constant)
      missing |= lanes_without_constant(warp, op.code->sources[s], word_bytes);
  }
  return missing;
}

}  // namespace

undefined_values::undefined_values() = default;
undefined_values::~undefined_values() = default;

undefined_values::cta_values& undefined_values::values_of(const warp_state& warp) {
  const auto found = ctas_.find(warp.context().cta);
  if (found != ctas_.end()) return found->second;
  const trace::dim3& block = warp.cta().setting().block;
  cta_values& values = ctas_[warp.context().cta];
  values.warps.resize((block.count() + warp::lanes_per_warp - 1) / warp::lanes_per_warp);
  return values;
}

void undefined_values::ended(std::uint64_t cta) { ctas_.erase(cta); }

undefined_lanes undefined_values::of(const warp_state& warp, register_file file, unsigned index) {
  return values_of(warp).warps[warp.context().warp_in_cta].of(file, index);
}

undefined_lanes undefined_values::of(const warp_state& warp, const isa::memory_reference& memory) {
  const undefined_registers& registers = values_of(warp).warps[warp.context().warp_in_cta];
  undefined_lanes result;
  for (unsigned i = 0; i < memory.base_count && memory.base != isa::zero_register; ++i)
    result.add(registers.of(register_file::vector, memory.base + i));
  for (unsigned i = 0; i < memory.uniform_count && memory.uniform != isa::zero_uniform_register; ++i)
    result.add(registers.of(register_file::uniform, memory.uniform + i));
  return result;
}

undefined_lanes undefined_values::read_by(const warp_state& warp, const operation& op) {
  const undefined_registers& registers = values_of(warp).warps[warp.context().warp_in_cta];
  undefined_lanes result;
  for (const isa::register_use& use : op.code->reads)
    for (unsigned i = 0; i < use.count; ++i) result.add(registers.of(use.file, use.index + i));
  result.add({lanes_without_operand(warp, op), {&op, std::nullopt}});
  return result;
}

undefined_values::follower undefined_values::follower_of_access(isa::memory_action action) {
  using isa::memory_action;
  switch (action) {
    case memory_action::load:
      return &undefined_values::follow_load;
    case memory_action::store:
      return &undefined_values::follow_store;
    case memory_action::copy:
      return &undefined_values::follow_copy;
    case memory_action::load_matrix:
      return &undefined_values::follow_matrix_load;
    case memory_action::store_matrix:
      return &undefined_values::follow_matrix_store;
    default:
      return &undefined_values::follow_atomic;
  }
}

undefined_values::follower undefined_values::follower_of(const operation& op) {
  using of = undefined_values;
  static constexpr std::pair<step, follower> rows[] = {{steps::refuse, &of::follow_unknown},
                                                       {steps::multiply_warpgroup, &of::follow_warpgroup},
                                                       {steps::multiply_registers, &of::follow_exchange},
                                                       {steps::multiply_quad_pairs, &of::follow_exchange},
                                                       {steps::multiply_sparse, &of::follow_exchange},
                                                       {steps::compute_warp, &of::follow_exchange},
                                                       {steps::move_to_uniform, &of::follow_exchange},
                                                       {steps::transpose_matrix, &of::follow_exchange},
                                                       {steps::read_special_register, &of::follow_special_register},
                                                       {steps::load_constant, &of::follow_constant_load},
                                                       {steps::predicates_from_register, &of::follow_register_to_predicates},
                                                       {steps::register_from_predicates, &of::follow_predicates_to_register},
                                                       {steps::arrive_at_barrier, &of::follow_barrier},
                                                       {steps::read_barrier_result, &of::follow_barrier_result}};
  if (op.execute == steps::compute_lanes) return &of::follow_lanes;
  if (op.access != nullptr) return follower_of_access(isa::info(op.code->op).memory.action);
  const auto* const found = std::find_if(std::begin(rows), std::end(rows), [&](const auto& row) { return row.first == op.execute; });
  return found != std::end(rows) ? found->second : &of::follow_lanes;
}

std::uint32_t undefined_values::follow(const warp_state& warp, const operation& op, std::uint32_t mask,
                                       const trace::address_list& addresses) {
  cta_values& cta = values_of(warp);
  return (this->*follower_of(op))({warp, op, mask, addresses, cta, cta.warps[warp.context().warp_in_cta], global_});
}

void undefined_values::forget(const warp_state& warp, const operation& op, std::uint32_t mask, const trace::address_list& addresses) {
  cta_values& cta = values_of(warp);
  follow_unknown({warp, op, mask, addresses, cta, cta.warps[warp.context().warp_in_cta], global_});
}

void undefined_values::forget_results(const warp_state& warp, const operation& op, std::uint32_t mask, const undefined_origin& cause) {
  cta_values& cta = values_of(warp);
  write_results({warp, op, mask, {}, cta, cta.warps[warp.context().warp_in_cta], global_}, {~0U, cause});
}

void undefined_values::write_results(const access& now, const undefined_lanes& value) {
  for (unsigned d = 0; d < now.op.code->destination_count; ++d) {
    const isa::operand& destination = now.op.code->destinations[d];
    for (unsigned i = 0; i < destination.count; ++i) now.registers.write(destination.file, destination.index + i, now.mask, value);
  }
}

/// What a lane computes depends on that lane's values.
std::uint32_t undefined_values::follow_lanes(const access& now) {
  const undefined_lanes value = read_by(now.warp, now.op);
  const bool lacks_constant = lanes_without_operand(now.warp, now.op) != 0;
  write_results(now, lacks_constant ? undefined_lanes{~0U, value.origin} : value);
  return lacks_constant ? 0 : now.mask;
}

/// What a lane gets depends on the values of all lanes that take part.
std::uint32_t undefined_values::follow_exchange(const access& now) {
  const undefined_lanes value = read_by(now.warp, now.op);
  const bool is_undefined = (value.lanes & now.mask) != 0;
  write_results(now, {is_undefined ? ~0U : 0, value.origin});
  return is_undefined ? 0 : now.mask;
}

/// Of what is not executed the bytes are undefined that it may have written.
std::uint32_t undefined_values::follow_unknown(const access& now) {
  using isa::memory_action;
  const memory_action action = isa::info(now.op.code->op).memory.action;
  const bool writes = action == memory_action::store || action == memory_action::store_matrix || action == memory_action::atomic;
  if (writes)
    now.for_each_range([&](const accessed_range& range) { range.bytes->undefine(range.address, range.count, {&now.op, std::nullopt}); });
  if (action == memory_action::copy) now.cta.shared.clear();
  write_results(now, {~0U, {&now.op, std::nullopt}});
  return 0;
}

/// Clocks tell the time, and some registers what only a machine knows.
std::uint32_t undefined_values::follow_special_register(const access& now) {
  const std::uint8_t source = now.op.code->sources[0].index;
  warp::lane_vector low, high;
  const bool is_known =
      !isa::is_clock(static_cast<isa::special_register>(source)) && lanes::read_special_register(source, now.warp.context(), 0, low, high);
  write_results(now, {is_known ? 0 : ~0U, {&now.op, std::nullopt}});
  return is_known ? now.mask : 0;
}

std::uint32_t undefined_values::follow_constant_load(const access& now) {
  const isa::operand& source = now.op.code->sources[0];
  undefined_lanes value = of(now.warp, source.memory);
  value.add({lanes_without_constant(now.warp, source, now.op.code->mods.access_bits / 8U), {&now.op, std::nullopt}});
  write_results(now, value);
  return now.mask & ~value.lanes;
}

/// A predicate that nothing has written is saved with the others.
std::uint32_t undefined_values::follow_predicates_to_register(const access& now) {
  undefined_lanes value;
  for (const isa::register_use& use : now.op.code->reads) {
    for (unsigned i = 0; i < use.count; ++i) {
      const undefined_lanes each = now.registers.of(use.file, use.index + i);
      const bool is_predicate = use.file == register_file::predicate || use.file == register_file::uniform_predicate;
      if (!is_predicate || each.origin.op != nullptr) value.add(each);
    }
  }
  write_results(now, value);
  return now.mask;
}

std::uint32_t undefined_values::follow_register_to_predicates(const access& now) {
  const isa::instruction& code = *now.op.code;
  const undefined_lanes value = read_by(now.warp, now.op);
  warp::lane_vector chosen = warp::broadcast(~0U);
  const std::uint32_t wanted = code.source_count > 1 ? now.warp.word(now.op, 1, chosen)[0] : ~0U;
  const register_file file = code.op == isa::opcode::ur2up ? register_file::uniform_predicate : register_file::predicate;
  for (unsigned p = 0; p < isa::true_predicate; ++p)
    if ((wanted >> p & 1U) != 0) now.registers.write(file, p, now.mask, value);
  return now.mask;
}

std::uint32_t undefined_values::follow_barrier(const access& now) {
  const undefined_lanes votes = read_by(now.warp, now.op);
  now.cta.votes = {(votes.lanes & now.mask) != 0 ? ~0U : 0, votes.origin};
  return now.mask;
}

std::uint32_t undefined_values::follow_barrier_result(const access& now) {
  write_results(now, now.cta.votes);
  return now.mask;
}

}  // namespace tc::execution
