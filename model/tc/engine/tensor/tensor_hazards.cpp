// SPDX-License-Identifier: Apache-2.0
#include "tensor_hazards.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace tc::engine {

namespace {

using kind = tensor_hazards::kind;
using cell_list = std::vector<isa::tensor_cells>;

bool is_access_of_warp(kind what) { return what == kind::load || what == kind::store; }

bool has_same_accumulators(const tensor_hazards::access& x, const tensor_hazards::access& y) {
  return x.accumulators == y.accumulators && x.m == y.m && x.n == y.n && x.k == y.k;
}

/// Whether two instructions take effect in their order without a wait.
bool is_pipelined(const tensor_hazards::access& first, const tensor_hazards::access& then) {
  if (then.what == kind::mma)
    return first.what == kind::copy || first.what == kind::copy_4x256b || first.what == kind::shift ||
           (first.what == kind::mma && has_same_accumulators(first, then));
  if (then.what == kind::copy_4x256b) return first.what == kind::shift;
  return then.what == kind::shift && first.what == kind::mma;
}

std::optional<isa::tensor_cells> common(const cell_list& x, const cell_list& y) {
  for (const isa::tensor_cells& a : x) {
    for (const isa::tensor_cells& b : y) {
      if (!overlap(a, b)) continue;
      isa::tensor_cells cells;
      for (unsigned chunk = 0; chunk < isa::tensor_chunks; ++chunk) cells.lanes[chunk] = a.lanes[chunk] & b.lanes[chunk];
      cells.columns.first = std::max(a.columns.first, b.columns.first);
      cells.columns.count = std::min(a.columns.first + a.columns.count, b.columns.first + b.columns.count) - cells.columns.first;
      return cells;
    }
  }
  return std::nullopt;
}

bool is_same(const cell_list& x, const cell_list& y) {
  return std::equal(x.begin(), x.end(), y.begin(), y.end(),
                    [](const isa::tensor_cells& a, const isa::tensor_cells& b) { return a.lanes == b.lanes && a.columns == b.columns; });
}

/// A later instruction that does the same to the same cells stands for both: who waits for it has waited for the earlier one.
bool stands_for(const tensor_hazards::access& later, const tensor_hazards::access& earlier) {
  return later.what == earlier.what && later.origin.warp == earlier.origin.warp && is_same(later.reads, earlier.reads) &&
         is_same(later.writes, earlier.writes);
}

}  // namespace

std::optional<tensor_hazards::hazard> tensor_hazards::begin(std::uint64_t number, access next) {
  number_set ordered, of_warp;
  for (const entry& each : unsettled_) {
    if (!is_pipelined(each.what, next)) continue;
    ordered.insert(each.number);
    ordered.insert(boost::container::ordered_unique_range, each.ordered.begin(), each.ordered.end());
    if (each.what.origin.warp != next.origin.warp) continue;
    of_warp.insert(each.number);
    of_warp.insert(boost::container::ordered_unique_range, each.ordered.begin(), each.ordered.end());
  }
  std::optional<hazard> found;
  for (const entry& each : unsettled_) {
    if (found || ordered.count(each.number) != 0) continue;
    if (const auto written = common(each.what.writes, next.reads)) found = hazard{each.what.origin, *written, true};
    if (const auto written = common(each.what.writes, next.writes); written && !found) found = hazard{each.what.origin, *written, true};
    if (const auto read = common(each.what.reads, next.writes); read && !found) found = hazard{each.what.origin, *read, false};
  }
  unsettled_.remove_if([&next](const entry& each) { return stands_for(next, each.what); });
  unsettled_.push_back({number, std::move(next), std::move(of_warp)});
  return found;
}

void tensor_hazards::settle(std::uint64_t number) {
  unsettled_.remove_if([number](const entry& each) { return each.number == number; });
}

void tensor_hazards::settle_through(const warp::warp_context& warp, std::uint64_t number) {
  unsettled_.remove_if(
      [&](const entry& each) { return each.number <= number && each.what.origin.warp == &warp && !is_access_of_warp(each.what.what); });
}

void tensor_hazards::forget(std::uint32_t cta_slot) {
  unsettled_.remove_if([cta_slot](const entry& each) { return each.what.cta_slot == cta_slot; });
}

std::string text_of(const isa::tensor_cells& cells) {
  unsigned first = isa::tensor_lanes, last = 0;
  for (unsigned lane = 0; lane < isa::tensor_lanes; ++lane) {
    if (!cells.has(lane)) continue;
    first = std::min(first, lane);
    last = lane;
  }
  const auto range = [](const char* one, const char* several, unsigned from, unsigned to) {
    return from == to ? fmt::format("{} {}", one, from) : fmt::format("{} {} to {}", several, from, to);
  };
  return range("column", "columns", cells.columns.first, cells.columns.first + cells.columns.count - 1) + " of " +
         range("lane", "lanes", first, last);
}

}  // namespace tc::engine
