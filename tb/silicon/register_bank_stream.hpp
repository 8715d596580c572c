// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <ostream>
#include <string>
#include <vector>

#include <tc/fabric/clocked.hpp>

namespace tc::silicon {

/// A stream of 128 FFMA with sources in chosen banks, timed on an H200.
struct register_bank_stream {
  std::string destination;  ///< "even" or "odd"
  std::string sources;      ///< such as "E O E", "E E(same) O", "E x3 same"
  unsigned reuse = 0;       ///< bit n: flag of source n
  unsigned stall = 0, warps = 0;
  double cycles = 0;  ///< recorded, of one instruction

  static constexpr unsigned instructions = 128;
};

std::ostream& operator<<(std::ostream& out, const register_bank_stream& stream);

/// All rows of h200_register_banks.csv in a folder.
std::vector<register_bank_stream> register_bank_streams(const std::filesystem::path& folder);

/// Cycles from a clock read right before the stream to one right behind it, the largest of the warps.
fabric::cycle_t cycles_of(const register_bank_stream& stream);

}  // namespace tc::silicon
