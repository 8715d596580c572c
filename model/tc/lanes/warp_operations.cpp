// SPDX-License-Identifier: Apache-2.0
#include "warp_operations.hpp"

#include <string_view>

#include <tc/isa/warp_lanes.hpp>

namespace tc::lanes {

namespace {

constexpr std::uint32_t every_lane = isa::all_warp_lanes;

std::uint32_t lane_bit(unsigned lane) { return 1U << lane; }

unsigned lowest_of(std::uint32_t mask) { return static_cast<unsigned>(__builtin_ctz(mask)); }

bool is_in(std::uint32_t mask, unsigned lane) { return (mask >> lane & 1U) != 0; }

/// Whether two integers of REDUX are signed.
bool is_signed(const isa::instruction& code) {
  const std::string_view opcode = std::string_view(code.text).substr(0, code.text.find_first_of(" \t"));
  return opcode.find(".S32") != std::string_view::npos;
}

void set_general(lane_result& out, const warp::lane_vector& value) { out.registers[0] = value; }

void set_every_predicate(const lane_operands& in, lane_result& out, std::uint32_t predicate) {
  for (unsigned d = 0; d < in.code().destination_count; ++d)
    if (in.code().destinations[d].is_predicate()) out.predicates[d] = predicate;
}

/// The lane that a lane takes its value from; itself where that is out of range.
struct shuffle_source {
  unsigned lane;
  bool is_in_range;
};

/// PTX ISA, shfl: of the third operand bits 4:0 clamp the source lane, bits 12:8 split the warp.
shuffle_source source_of(isa::shuffle_mode mode, unsigned lane, std::uint32_t b, std::uint32_t c) {
  const unsigned segments = c >> 8U & 0x1fU, clamp = c & 0x1fU, distance = b & 0x1fU;
  const unsigned last = (lane & segments) | (clamp & ~segments), first = lane & segments;
  unsigned source = first | (distance & ~segments);
  bool is_in_range = source <= last;
  switch (mode) {
    case isa::shuffle_mode::up:
      is_in_range = distance <= lane && lane - distance >= last;
      source = lane - distance;
      break;
    case isa::shuffle_mode::down:
      source = lane + distance;
      is_in_range = source <= last;
      break;
    case isa::shuffle_mode::butterfly:
      source = lane ^ distance;
      is_in_range = source <= last;
      break;
    default:
      break;
  }
  return {is_in_range ? source % warp::lanes_per_warp : lane, is_in_range};
}

/// SHFL. A lane that does not execute it has nothing to give: zero, as recorded on an H100.
void shuffle(const lane_operands& in, std::uint32_t mask, lane_result& out) {
  const warp::lane_vector values = in.word(0), b = in.word(1), c = in.word(2);
  std::uint32_t in_range = 0;
  for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane) {
    const shuffle_source source = source_of(in.mods().shuffle, lane, b[lane], c[lane]);
    out.registers[0][lane] = is_in(mask, source.lane) ? values[source.lane] : 0;
    if (source.is_in_range) in_range |= lane_bit(lane);
  }
  set_every_predicate(in, out, in_range);
}

/// VOTE, VOTEU: whether a predicate holds in all lanes that execute it, in any, or in all or none; and in which.
void vote(const lane_operands& in, std::uint32_t mask, lane_result& out) {
  const std::uint32_t holds = in.predicate(0) & mask;
  bool result = holds == mask;
  if (in.mods().vote == isa::vote_mode::any) result = holds != 0;
  if (in.mods().vote == isa::vote_mode::equal) result = holds == mask || holds == 0;
  set_general(out, warp::broadcast(holds));
  set_every_predicate(in, out, result ? every_lane : 0);
}

/// MATCH: the lanes that have the same value; with .ALL they must be all, or there is none.
void match(const lane_operands& in, std::uint32_t mask, lane_result& out) {
  const bool is_wide = isa::is_64_bit(in.mods().type);
  std::uint32_t is_equal = every_lane;
  for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane) {
    const auto value = [&](unsigned of) { return is_wide ? in.pair(0, of) : std::uint64_t{in.raw(0)[of]}; };
    std::uint32_t same = 0;
    for (unsigned other = 0; other < warp::lanes_per_warp; ++other)
      if (is_in(mask, other) && value(other) == value(lane)) same |= lane_bit(other);
    if (in.mods().vote == isa::vote_mode::all && same != mask) {
      same = 0;
      is_equal &= ~lane_bit(lane);
    }
    out.registers[0][lane] = same;
  }
  set_every_predicate(in, out, is_equal);
}

std::uint32_t reduced(const lane_operands& in, std::uint32_t x, std::uint32_t y) {
  const std::uint32_t bias = is_signed(in.code()) ? 0x80000000U : 0;
  switch (in.mods().atomic) {
    case isa::atomic_operation::minimum:
      return (y ^ bias) < (x ^ bias) ? y : x;
    case isa::atomic_operation::maximum:
      return (y ^ bias) > (x ^ bias) ? y : x;
    case isa::atomic_operation::add:
      return x + y;
    default:
      break;
  }
  if (in.mods().combine == isa::boolean_operation::disjunction) return x | y;
  if (in.mods().combine == isa::boolean_operation::exclusive_or) return x ^ y;
  return x & y;  // REDUX without a name: of __reduce_and_sync, as recorded on an H100
}

/// REDUX: of integers, over the lanes that execute it.
void reduce(const lane_operands& in, std::uint32_t mask, lane_result& out) {
  const warp::lane_vector values = in.word(0);
  std::uint32_t result = values[lowest_of(mask)];
  for (unsigned lane = lowest_of(mask) + 1; lane < warp::lanes_per_warp; ++lane)
    if (is_in(mask, lane)) result = reduced(in, result, values[lane]);
  set_general(out, warp::broadcast(result));
}

/// ELECT: one of the lanes that execute it, the lowest.
void elect(const lane_operands& in, std::uint32_t mask, lane_result& out) {
  set_general(out, warp::broadcast(lowest_of(mask)));
  set_every_predicate(in, out, lane_bit(lowest_of(mask)));
}

}  // namespace

warp_operation find_warp_operation(const isa::instruction& code) {
  switch (code.op) {
    case isa::opcode::shfl:
      return shuffle;
    case isa::opcode::vote:
    case isa::opcode::voteu:
      return vote;
    case isa::opcode::match:
      return match;
    case isa::opcode::redux:
      return reduce;
    case isa::opcode::elect:
      return elect;
    default:
      return nullptr;
  }
}

std::uint32_t undefined_result(const isa::instruction& code, const lane_operands::source_list& sources, std::uint32_t mask,
                               const std::array<std::uint32_t, isa::instruction::max_sources>& undefined) {
  std::uint32_t all = 0;
  for (unsigned s = 0; s < code.source_count; ++s) all |= undefined[s];
  if (all == 0) return 0;
  if (code.op != isa::opcode::shfl) return (all & mask) != 0 ? every_lane : 0;
  const lane_operands in(code, sources);
  const warp::lane_vector b = in.word(1), c = in.word(2);
  std::uint32_t result = undefined[1] | undefined[2];
  for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane)
    if (is_in(undefined[0], source_of(code.mods.shuffle, lane, b[lane], c[lane]).lane)) result |= lane_bit(lane);
  return result;
}

}  // namespace tc::lanes
