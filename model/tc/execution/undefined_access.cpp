// SPDX-License-Identifier: Apache-2.0
#include "undefined_access.hpp"

#include <algorithm>
#include <array>

#include <tc/execution/cta_state.hpp>
#include <tc/execution/warp_state.hpp>
#include <tc/execution/warpgroup_values.hpp>
#include <tc/isa/shared_matrix.hpp>

namespace tc::execution {

namespace {

using isa::memory_space;

constexpr unsigned word_bytes = 4;

/// Registers from `first` on, each of which is word i of what a lane stores.
std::vector<undefined_lanes> words_of(const undefined_registers& registers, const isa::operand& data, unsigned bytes) {
  std::vector<undefined_lanes> words;
  for (unsigned i = 0; i < (bytes + word_bytes - 1) / word_bytes; ++i)
    words.push_back(data.index == isa::zero_register ? undefined_lanes{} : registers.of(isa::register_file::vector, data.index + i));
  return words;
}

/// What is stored is defined where no lane of `value` is that stores it.
void store(const accessed_range& range, const undefined_lanes& value) {
  if (value.lanes == 0)
    range.bytes->define(range.address, range.count);
  else
    range.bytes->undefine(range.address, range.count, value.origin);
}

undefined_lanes in_lane(const undefined_lanes& value, unsigned lane) { return {value.lanes & 1U << lane, value.origin}; }

/// Why a byte is undefined that an instruction reads.
undefined_origin origin_of(const operation& op, const defined_bytes& bytes, std::uint64_t address) {
  const undefined_origin* const stored = bytes.origin_of(address);
  return stored != nullptr ? *stored : undefined_origin{&op, address};
}

}  // namespace

/// Of the operands of an access but its address, of which a descriptor says nothing that decides about values.
undefined_lanes undefined_values::of_operands(const access& now) {
  undefined_lanes value;
  for (unsigned s = 0; s < now.op.code->source_count; ++s) {
    const isa::operand& source = now.op.code->sources[s];
    for (unsigned i = 0; i < source.count && source.what == isa::operand::kind::reg; ++i)
      value.add(now.registers.of(source.file, source.index + i));
  }
  return value;
}

const trace::memory_access& undefined_values::access::accesses() const { return warp.code().listed(op).access; }

accessed_range undefined_values::access::range_of(unsigned lane, std::uint64_t address, memory_space space, unsigned bytes) const {
  if (space == memory_space::generic && address - shared_window < window_bytes) {
    space = memory_space::shared;
    address -= shared_window;
  } else if (space == memory_space::generic && address - local_window < window_bytes) {
    space = memory_space::local;
    address -= local_window;
  }
  const unsigned thread = warp.context().warp_in_cta * warp::lanes_per_warp + lane;
  if (space == memory_space::shared) return {lane, &cta.shared, address, bytes};
  if (space == memory_space::local) return {lane, &cta.local[thread], address, bytes};
  warp.cta().setting().memory.cover(address, bytes);
  return {lane, &global, address, bytes};
}

/// The lanes in which the predicates among the sources from `first` on hold. Adds those in which a predicate is not known.
std::uint32_t undefined_values::lanes_under_condition(const access& now, unsigned first, undefined_lanes& unknown) {
  const isa::instruction& code = *now.op.code;
  std::uint32_t lanes = now.mask;
  for (unsigned s = first; s < code.source_count; ++s) {
    if (!code.sources[s].is_predicate()) continue;
    unknown.add(now.registers.of(code.sources[s].file, code.sources[s].index));
    lanes &= now.warp.predicate(now.op, s);
  }
  return lanes;
}

/// Where a predicate behind the address does not hold, a load gives zeros.
std::uint32_t undefined_values::follow_load(const access& now) {
  const isa::instruction& code = *now.op.code;
  undefined_lanes condition;
  const std::uint32_t loading = lanes_under_condition(now, 1, condition);
  std::array<undefined_lanes, 4> words;
  words.fill(condition);
  now.for_each_range([&](const accessed_range& range) {
    if ((loading >> range.lane & 1U) == 0 || !range.bytes->first_undefined(range.address, range.count)) return;
    for (unsigned i = 0; i * word_bytes < range.count; ++i) {
      const std::uint64_t at = range.address + i * std::uint64_t{word_bytes};
      const auto missing = range.bytes->first_undefined(at, std::min(range.count, word_bytes));
      if (missing) words[i].add({1U << range.lane, origin_of(now.op, *range.bytes, *missing)});
    }
  });
  const isa::operand& destination = code.destinations[0];
  for (unsigned i = 0; i < destination.count && i < words.size(); ++i)
    now.registers.write(destination.file, destination.index + i, now.mask, words[i]);
  return now.mask;
}

std::uint32_t undefined_values::follow_store(const access& now) {
  const unsigned bytes = now.accesses().bytes;
  const std::vector<undefined_lanes> words = words_of(now.registers, now.op.code->sources[1], bytes);
  now.for_each_range([&](const accessed_range& range) {
    for (unsigned i = 0; i < words.size(); ++i)
      store({range.lane, range.bytes, range.address + i * std::uint64_t{word_bytes}, std::min(range.count, word_bytes)},
            in_lane(words[i], range.lane));
  });
  return now.mask;
}

/// LDGSTS: its traced addresses are those in global memory. Where its predicate is false, zeros come in the place of the bytes.
std::uint32_t undefined_values::follow_copy(const access& now) {
  const isa::instruction& code = *now.op.code;
  const isa::memory_reference& to = code.sources[0].memory;
  if (of(now.warp, to).lanes != 0) {
    now.cta.shared.clear();
    return 0;
  }
  undefined_lanes condition;
  const std::uint32_t copied = lanes_under_condition(now, 2, condition);
  std::array<std::uint64_t, warp::lanes_per_warp> targets{};
  now.warp.addresses(to, targets);
  const unsigned bytes = now.accesses().bytes;
  now.for_each_range([&](const accessed_range& range) {
    undefined_lanes value = in_lane(condition, range.lane);
    const auto missing = range.bytes->first_undefined(range.address, range.count);
    if (missing && (copied >> range.lane & 1U) != 0) value.add({~0U, origin_of(now.op, *range.bytes, *missing)});
    store(now.range_of(range.lane, static_cast<std::uint32_t>(targets[range.lane]), memory_space::shared, bytes), value);
  });
  return now.mask;
}

/// LDSM deals the rows to all lanes, so that one undefined byte leaves none defined.
std::uint32_t undefined_values::follow_matrix_load(const access& now) {
  undefined_lanes value;
  now.for_each_range([&](const accessed_range& range) {
    const auto missing = range.bytes->first_undefined(range.address, range.count);
    if (missing) value.add({~0U, origin_of(now.op, *range.bytes, *missing)});
  });
  write_results(now, value);
  return now.mask;
}

std::uint32_t undefined_values::follow_matrix_store(const access& now) {
  const undefined_lanes value = of_operands(now);
  now.for_each_range([&](const accessed_range& range) { store(range, value); });
  return now.mask;
}

/// A product of a warpgroup reads matrices in shared memory, A or registers, and accumulators if it adds to them. Its descriptors and its
/// condition are defined.
std::uint32_t undefined_values::follow_warpgroup(const access& now) {
  const warpgroup_product::values values = warpgroup_values(now.warp, now.op);
  isa::wgmma_operation matrices = now.op.warpgroup->operands().matrices;
  matrices.a = values.a;
  matrices.b = values.b;
  const warpgroup_operands& operands = now.op.warpgroup->operands();
  undefined_lanes value;
  const auto add_registers = [&](unsigned first, unsigned count) {
    for (unsigned i = 0; i < count && first != isa::zero_register; ++i) value.add(now.registers.of(isa::register_file::vector, first + i));
  };
  if (operands.matrices.a_in_registers) add_registers(operands.a, warpgroup_product::a_register_count);
  if (values.accumulate) add_registers(operands.c, now.op.code->destinations[0].count);
  const auto add_matrix = [&](const isa::shared_matrix& matrix) {
    for (unsigned core = 0; core < matrix.core_matrices(); ++core)
      for (unsigned line = 0; line < isa::shared_matrix::core_lines; ++line)
        if (const auto missing = now.cta.shared.first_undefined(matrix.unit_address(core, line), isa::shared_matrix::unit_bytes))
          value.add({~0U, origin_of(now.op, now.cta.shared, *missing)});
  };
  if (!matrices.a_in_registers) add_matrix(isa::shared_a(matrices));
  add_matrix(isa::shared_b(matrices));
  write_results(now, {value.lanes != 0 ? ~0U : 0, value.origin});
  return value.lanes != 0 ? 0 : now.mask;
}

/// A lane that adds something undefined leaves it to lanes behind it, and to those in front of it if they come again.
std::uint32_t undefined_values::follow_atomic(const access& now) {
  const undefined_lanes operands = of_operands(now);
  undefined_lanes value;
  now.for_each_range([&](const accessed_range& range) {
    if ((operands.lanes >> range.lane & 1U) != 0) range.bytes->undefine(range.address, range.count, operands.origin);
  });
  now.for_each_range([&](const accessed_range& range) {
    const auto missing = range.bytes->first_undefined(range.address, range.count);
    if (!missing) return;
    value.add({1U << range.lane, origin_of(now.op, *range.bytes, *missing)});
    range.bytes->undefine(range.address, range.count, value.origin);
  });
  write_results(now, value);
  return now.mask;
}

}  // namespace tc::execution
