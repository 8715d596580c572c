// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tc::links {

/// Why a warp does not issue in a cycle. There is no cause "other": every cycle of a warp between its start and its exit is issued or has
/// exactly one of these.
enum class stall_cause : std::uint8_t {
  none,  ///< it issues
  stall_count,
  wait_mask,
  scoreboard,
  cta_barrier,
  warpgroup_wait,
  mbarrier_wait,
  bulk_wait,
  tensor_memory_wait,
  tensor_allocation,
  memory_queue,
  bank_conflict,
  collector_full,
  operand_bus,
  buffer_full,
  tensor_busy,
  tensor_queue,
  pipe_busy,
  no_instruction,
  not_selected,
  no_warp,  ///< of an issue slot: the sub-core has no warp that could issue
};

/// What there is to say about a cause: the only list of them besides the enumeration, in its order.
struct stall_cause_info {
  stall_cause cause;
  std::string_view key;   ///< in statistics, e.g. "stall_count" in `stalls`, behind "empty_" and "idle_"
  std::string_view text;  ///< for people who see it for the first time
};

inline constexpr std::array stall_cause_table{
    stall_cause_info{stall_cause::none, "issued", "issued an instruction"},
    stall_cause_info{stall_cause::stall_count, "stall_count", "stall count: the wait that the compiler gave the instruction before"},
    stall_cause_info{stall_cause::wait_mask, "wait_mask", "wait mask: for loads and other results announced by a barrier"},
    stall_cause_info{stall_cause::scoreboard, "scoreboard", "scoreboard: for a register"},
    stall_cause_info{stall_cause::cta_barrier, "cta_barrier", "BAR.SYNC: for other warps of the CTA"},
    stall_cause_info{stall_cause::warpgroup_wait, "warpgroup_wait", "wgmma.wait_group: for warpgroup matrix instructions"},
    stall_cause_info{stall_cause::mbarrier_wait, "mbarrier_wait", "mbarrier.try_wait: for arrivals and bulk copies"},
    stall_cause_info{stall_cause::bulk_wait, "bulk_wait", "cp.async.bulk.wait_group: for bulk copies out of shared memory"},
    stall_cause_info{stall_cause::tensor_memory_wait, "tensor_memory_wait", "tcgen05.wait: for loads or stores of tensor memory"},
    stall_cause_info{stall_cause::tensor_allocation, "tensor_allocation", "tcgen05.alloc or dealloc: for columns of tensor memory"},
    stall_cause_info{stall_cause::memory_queue, "memory_queue", "load-store queue full"},
    stall_cause_info{stall_cause::bank_conflict, "bank_conflict", "register read ports taken"},
    stall_cause_info{stall_cause::collector_full, "collector_full", "operand collectors taken"},
    stall_cause_info{stall_cause::operand_bus, "operand_bus", "operand buses of the tensor cores taken"},
    stall_cause_info{stall_cause::buffer_full, "buffer_full", "operand buffers of the tensor cores full"},
    stall_cause_info{stall_cause::tensor_busy, "tensor_busy", "dot-product units of the tensor cores taken"},
    stall_cause_info{stall_cause::tensor_queue, "tensor_queue", "queue to the tensor engine full (tcgen05.mma, cp, shift, commit)"},
    stall_cause_info{stall_cause::pipe_busy, "pipe_busy", "another execution unit taken"},
    stall_cause_info{stall_cause::no_instruction, "no_instruction", "instruction buffer empty"},
    stall_cause_info{stall_cause::not_selected, "not_selected", "ready, but another warp issued"},
    stall_cause_info{stall_cause::no_warp, "no_warp", "no warp to issue from"},
};

inline constexpr std::size_t stall_causes = stall_cause_table.size();

constexpr std::size_t index(stall_cause cause) { return static_cast<std::size_t>(cause); }

static_assert(
    [] {
      for (std::size_t c = 0; c < stall_causes; ++c)
        if (index(stall_cause_table[c].cause) != c) return false;
      return index(stall_cause::no_warp) + 1 == stall_causes;
    }(),
    "the table has a row for each cause, in the order of the enumeration");

constexpr const stall_cause_info& info(stall_cause cause) { return stall_cause_table[index(cause)]; }

/// Whether the warp waits for the result of an instruction of its own, which comes from some result_source.
constexpr bool waits_for_result(stall_cause cause) {
  return cause == stall_cause::stall_count || cause == stall_cause::wait_mask || cause == stall_cause::scoreboard;
}

/// The cause of a key in statistics; nothing for any other text.
inline std::optional<stall_cause> find_stall_cause(std::string_view key) {
  const auto* const found =
      std::find_if(stall_cause_table.begin(), stall_cause_table.end(), [&](const stall_cause_info& row) { return row.key == key; });
  if (found == stall_cause_table.end()) return std::nullopt;
  return found->cause;
}

/// Cycles, by what became of them: issued (`none`), or lost for a cause.
class cause_cycles {
 public:
  constexpr std::uint64_t& operator[](stall_cause cause) { return cycles_[index(cause)]; }
  constexpr std::uint64_t operator[](stall_cause cause) const { return cycles_[index(cause)]; }

  cause_cycles& operator+=(const cause_cycles& other) {
    for (std::size_t c = 0; c < stall_causes; ++c) cycles_[c] += other.cycles_[c];
    return *this;
  }

  std::uint64_t sum() const {
    std::uint64_t all = 0;
    for (const std::uint64_t cycles : cycles_) all += cycles;
    return all;
  }

 private:
  std::array<std::uint64_t, stall_causes> cycles_{};
};

}  // namespace tc::links
