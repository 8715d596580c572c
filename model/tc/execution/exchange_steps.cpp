// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include <tc/execution/instruction_text.hpp>
#include <tc/execution/steps.hpp>
#include <tc/execution/warp_state.hpp>

namespace tc::execution {

namespace {

std::uint32_t lane_bit(unsigned lane) { return 1U << lane; }

unsigned lowest_of(std::uint32_t mask) { return static_cast<unsigned>(__builtin_ctz(mask)); }

/// Gives a general destination and a predicate what they are to hold.
void write_both(warp_state& warp, const operation& op, const warp::lane_vector& value, std::uint32_t predicate, std::uint32_t mask) {
  for (unsigned d = 0; d < op.code->destination_count; ++d) {
    const isa::operand& destination = op.code->destinations[d];
    const bool is_predicate =
        destination.file == isa::register_file::predicate || destination.file == isa::register_file::uniform_predicate;
    if (is_predicate)
      warp.write_predicate(destination, predicate, mask);
    else
      warp.write(destination, 0, value, mask);
  }
}

}  // namespace

/// SHFL (PTX ISA, shfl): of the third operand bits 4:0 clamp the source lane, bits 12:8 split the warp.
void steps::shuffle(warp_state& warp, const operation& op, std::uint32_t mask) {
  warp::lane_vector stores[3];
  const warp::lane_vector values = warp.word(op, 0, stores[0]);
  const warp::lane_vector &b = warp.word(op, 1, stores[1]), &c = warp.word(op, 2, stores[2]);
  warp::lane_vector result;
  std::uint32_t in_range = 0;
  for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane) {
    const unsigned segments = c[lane] >> 8U & 0x1fU, clamp = c[lane] & 0x1fU, distance = b[lane] & 0x1fU;
    const unsigned last = (lane & segments) | (clamp & ~segments), first = lane & segments;
    int source = static_cast<int>(lane);
    bool is_in_range = true;
    switch (op.code->mods.shuffle) {
      case isa::shuffle_mode::up:
        source -= static_cast<int>(distance);
        is_in_range = source >= static_cast<int>(last);
        break;
      case isa::shuffle_mode::down:
        source += static_cast<int>(distance);
        is_in_range = source <= static_cast<int>(last);
        break;
      case isa::shuffle_mode::butterfly:
        source = static_cast<int>(lane ^ distance);
        is_in_range = source <= static_cast<int>(last);
        break;
      default:
        source = static_cast<int>(first | (distance & ~segments));
        is_in_range = source <= static_cast<int>(last);
        break;
    }
    if (!is_in_range) source = static_cast<int>(lane);
    if (is_in_range) in_range |= lane_bit(lane);
    result[lane] = values[static_cast<unsigned>(source) % warp::lanes_per_warp];
  }
  write_both(warp, op, result, in_range, mask);
}

/// VOTE, VOTEU: whether a predicate holds in all lanes that execute it, in any, or in all or none; and in which.
void steps::vote(warp_state& warp, const operation& op, std::uint32_t mask) {
  const std::uint32_t holds = warp.predicate(op, 0) & mask;
  bool result = holds == mask;
  if (op.code->mods.vote == isa::vote_mode::any) result = holds != 0;
  if (op.code->mods.vote == isa::vote_mode::equal) result = holds == mask || holds == 0;
  write_both(warp, op, warp::broadcast(holds), result ? ~0U : 0, mask);
}

/// MATCH: the lanes that have the same value; with .ALL they must be all, or there is none.
void steps::match(warp_state& warp, const operation& op, std::uint32_t mask) {
  const bool is_wide = isa::is_64_bit(op.code->mods.type);
  warp::lane_vector low_store, high_store;
  const lanes::lane_source source = warp.source(op, 0, low_store, high_store);
  const warp::lane_vector low = *source.low;
  warp::lane_vector high{};
  const isa::operand& operand = op.code->sources[0];
  const bool has_pair = operand.is_register(isa::register_file::vector) && operand.index + 1U < warp.registers().vector.size();
  if (is_wide && has_pair) high = warp.registers().vector[operand.index + 1U];
  warp::lane_vector result{};
  std::uint32_t is_equal = ~0U;
  for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane) {
    for (unsigned other = 0; other < warp::lanes_per_warp; ++other)
      if ((mask & lane_bit(other)) != 0 && low[other] == low[lane] && high[other] == high[lane]) result[lane] |= lane_bit(other);
    if (op.code->mods.vote != isa::vote_mode::all) continue;
    if (result[lane] == mask) continue;
    result[lane] = 0;
    is_equal &= ~lane_bit(lane);
  }
  write_both(warp, op, result, is_equal, mask);
}

/// REDUX: of integers, over the lanes that execute it.
void steps::reduce(warp_state& warp, const operation& op, std::uint32_t mask) {
  const isa::modifiers& mods = op.code->mods;
  warp::lane_vector store;
  const warp::lane_vector& values = warp.word(op, 0, store);
  const std::uint32_t bias = has_suffix(*op.code, "S32") ? 0x80000000U : 0;
  std::uint32_t result = values[lowest_of(mask)];
  for (unsigned lane = lowest_of(mask) + 1; lane < warp::lanes_per_warp; ++lane) {
    if ((mask & lane_bit(lane)) == 0) continue;
    const std::uint32_t value = values[lane];
    switch (mods.atomic) {
      case isa::atomic_operation::minimum:
        result = ((value ^ bias) < (result ^ bias)) ? value : result;
        continue;
      case isa::atomic_operation::maximum:
        result = ((value ^ bias) > (result ^ bias)) ? value : result;
        continue;
      case isa::atomic_operation::add:
        result += value;
        continue;
      default:
        break;
    }
    if (mods.combine == isa::boolean_operation::disjunction)
      result |= value;
    else if (mods.combine == isa::boolean_operation::exclusive_or)
      result ^= value;
    else
      result &= value;  // REDUX without a name: of __reduce_and_sync, as recorded on an H100
  }
  write_both(warp, op, warp::broadcast(result), ~0U, mask);
}

/// ELECT: one of the lanes that execute it, the lowest.
void steps::elect(warp_state& warp, const operation& op, std::uint32_t mask) {
  const unsigned chosen = lowest_of(mask);
  write_both(warp, op, warp::broadcast(chosen), lane_bit(chosen), mask);
}

}  // namespace tc::execution
