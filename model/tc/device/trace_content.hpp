// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include <systemc>

#include <tc/accounting/run_result.hpp>
#include <tc/device/cta_barrier.hpp>
#include <tc/device/kernel.hpp>
#include <tc/device/memory_probe.hpp>
#include <tc/trace/kernel_header.hpp>
#include <tc/trace/memory_content.hpp>
#include <tc/trace/step.hpp>
#include <tc/trace/warp_player.hpp>

namespace tc::device {

// What is read of a trace while it runs. Its file may have been damaged or have gone since the trace was opened: that is a fault of the
// kernel in `where`, fabric::report::trace_content.

/// The `index`th warp of a CTA; none after a fault. `others` of the CTA have been found: a packed trace, which nobody has read as a whole,
/// may give one twice.
std::optional<trace::warp_player> play_warp(const sc_core::sc_object& where, const kernel& kernel, const trace::cta_entry& cta,
                                            std::uint32_t index, warp_set others, unsigned sm);

/// The next step of a warp; false behind the last one, and after a fault.
bool play_step(const sc_core::sc_object& where, trace::warp_player& player, trace::step& step);

/// The same of a warp that is executed while it runs, see trace::made_steps: what its code does wrong is a fault too. After one the step
/// has no lanes.
void issue_step(const sc_core::sc_object& where, trace::warp_player& player, trace::step& step, std::uint64_t cycle);
void perform_access(const sc_core::sc_object& where, trace::warp_player& player, std::uint32_t access);

/// Copies `count` bytes of a memory's content from `offset` on; false after a fault, and then they are zeros.
bool copy_content(const sc_core::sc_object& where, const trace::memory_content& content, std::uint64_t offset, std::uint8_t* destination,
                  std::size_t count);

/// Compares a range of memory, or samples of it, with what a trace expects. Throws std::runtime_error if the expected content can no longer
/// be read.
accounting::expectation_result check_expectation(const trace::expected_image& expected, memory_probe& memory);

}  // namespace tc::device
