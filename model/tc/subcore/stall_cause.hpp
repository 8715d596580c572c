#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace tc::subcore {

/// Why a warp does not issue in a cycle. There is no cause "other": every cycle of a warp between its start and its exit is issued or has
/// exactly one of these.
enum class stall_cause : std::uint8_t {
  none,
  stall_count,     ///< stall cycles or yield of its last instruction
  wait_mask,       ///< a dependence counter of the wait mask is not zero
  scoreboard,      ///< a register it needs is not written yet, or not read yet
  cta_barrier,     ///< BAR.SYNC
  memory_queue,    ///< queue of the load-store unit full
  bank_conflict,   ///< register read ports taken
  collector_full,  ///< no free collector unit
  operand_bus,     ///< operand buses of the tensor cores taken
  buffer_full,     ///< no free tile in an operand buffer of the tensor cores
  tensor_busy,     ///< dot-product units or sequencer of the tensor cores
  pipe_busy,       ///< input latch of another execution unit
  no_instruction,  ///< the instruction buffer is empty
  not_selected,    ///< another warp issued
  no_warp,         ///< of an issue slot: the sub-core has no warp that could issue
};

inline constexpr unsigned stall_causes = 15;

/// Names as the statistics use them, by cause.
inline constexpr std::array<std::string_view, stall_causes> stall_cause_names{
    "none",        "stall_count", "wait_mask",   "scoreboard", "cta_barrier",    "memory_queue", "bank_conflict", "collector_full",
    "operand_bus", "buffer_full", "tensor_busy", "pipe_busy",  "no_instruction", "not_selected", "no_warp"};

constexpr std::string_view name(stall_cause cause) { return stall_cause_names[static_cast<unsigned>(cause)]; }

}  // namespace tc::subcore
