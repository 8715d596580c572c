// SPDX-License-Identifier: Apache-2.0
#include "trace_content.hpp"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include <tc/fabric/fault_listener.hpp>
#include <tc/fabric/reports.hpp>
#include <tc/trace/trace_error.hpp>

namespace tc::device {

std::optional<trace::warp_player> play_warp(const sc_core::sc_object& where, const kernel& kernel, const trace::cta_entry& cta,
                                            std::uint32_t index, warp_set others) {
  try {
    trace::warp_player player = kernel.trace().play(cta, index);
    if ((others >> player.warp() & 1) != 0)
      throw trace::trace_error(kernel.file(), player.line(), 1, fmt::format("warp {} is given twice in this CTA", player.warp()));
    return player;
  } catch (const std::runtime_error& error) {
    fabric::fault(fabric::report::trace_content, where, error.what());
  }
  return std::nullopt;
}

bool play_step(const sc_core::sc_object& where, trace::warp_player& player, trace::step& step) {
  try {
    return player.next(step);
  } catch (const std::runtime_error& error) {
    fabric::fault(fabric::report::trace_content, where, error.what());
  }
  return false;
}

bool copy_content(const sc_core::sc_object& where, const trace::memory_content& content, std::uint64_t offset, std::uint8_t* destination,
                  std::size_t count) {
  try {
    content.copy(offset, destination, count);
    return true;
  } catch (const std::runtime_error& error) {
    fabric::fault(fabric::report::trace_content, where, error.what());
  }
  std::fill_n(destination, count, std::uint8_t{0});
  return false;
}

}  // namespace tc::device
