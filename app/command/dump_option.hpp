// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <tc/device/machine_state.hpp>
#include <tc/fabric/clocked.hpp>

namespace tcsim {

/// Which state of the machine goes to a file, and when: "SPACE:BASE:BYTES:FILE[@CYCLE]".
struct dump_option {
  /// A file of a dump has no more.
  static constexpr std::uint64_t max_bytes = std::uint64_t{1} << 36;

  std::string text;  ///< as it was typed
  tc::device::state_range range{};
  std::string file;
  std::optional<tc::fabric::cycle_t> cycle{};  ///< before which; absent: at the end of the run

  /// SPACE is a memory with the place it belongs to in front: "global", "shared", "sm1.tensor", "sm0.subcore1.warp3.registers",
  /// "cta5.shared", "cta5.warp2.registers". Places are written as scopes of waves are (observe::in_scope). BASE and BYTES are decimal, or
  /// hexadecimal with 0x. CYCLE is at least 1. Throws usage_error with what is wrong and what would be right.
  static dump_option parse(const std::string& text);
};

}  // namespace tcsim
