// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace tc::device {

class gpu;

/// The memories whose content can be taken from a machine.
enum class state_space : std::uint8_t { global, shared, tensor, registers };

/// Whose memory: of an SM, a sub-core and a warp slot in it, or of a CTA and a warp in it. What is absent is 0.
struct state_place {
  state_space space = state_space::global;
  std::optional<unsigned> sm{}, sub_core{}, warp{};  ///< `warp`: slot of the sub-core; of a CTA its warp
  std::optional<std::uint32_t> cta{};                ///< linear number; then `sm` and `sub_core` are absent

  /// As options name it: "sm0.subcore1.warp3.registers", "cta5.shared", "global".
  std::string text() const;
};

/// Bytes of a memory, as they lie in it:
///
///   - global: addresses of the trace.
///   - shared: from the beginning of the SM's memory on or, of a CTA, of its window, as in the trace.
///   - tensor: lane after lane of 32-bit columns, all of the machine's columns of a lane together. Of a CTA: that of its SM.
///   - registers: register R at R * 128, lane 0 first; R0 to R254.
struct state_range {
  state_place place{};
  std::uint64_t base = 0, bytes = 0;
};

/// Throws run_error for what can never be taken from the machine: a unit that it does not have, or that the run does not use, a CTA that no
/// trace holds, a range beyond the memory, and anything if the run computes no values. Before the run.
void check_state_range(gpu& device, const state_range& range);

/// Takes pieces of a range, in order.
using state_consumer = std::function<void(const std::uint8_t* bytes, std::size_t count)>;

/// Reads a range by debug transport, in no time and without side effects. The range has been checked. The state is that between cycles:
/// registers hold what an instruction that reads them in the running cycle would get, the other memories the effect of all accesses sent to
/// them so far. Throws run_error for what is not there now: a CTA that has not been launched or whose place has been taken since, a warp
/// slot that no warp has had, and bytes that do not exist. What a warp or a CTA has left in its place counts until another takes it.
void read_state(gpu& device, const state_range& range, const state_consumer& consumer);

}  // namespace tc::device
