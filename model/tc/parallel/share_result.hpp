// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <tc/accounting/run_result.hpp>
#include <tc/fabric/kept_statistics.hpp>

namespace tc::parallel {

/// Bytes that a kernel has written in global memory, and what they are at its end.
struct memory_change {
  std::uint64_t address = 0;
  std::vector<std::uint8_t> bytes;
  std::vector<unsigned char> undefined{};  ///< by byte: not 0 if it has no defined value; empty: all have one
};

/// Bytes of global memory that follow each other.
struct memory_range {
  std::uint64_t address = 0, bytes = 0;
};

/// What the run of a share of the SMs has given.
struct share_result {
  accounting::run_result result;
  std::vector<fabric::kept_object> statistics;
  std::vector<memory_change> memory;  ///< in ascending order
  std::vector<memory_range> read;     ///< bytes that it has read there, in ascending order
};

/// Adds what another share has given to a result. Both are of shares of the same run.
void join(accounting::run_result& all, const accounting::run_result& other);

}  // namespace tc::parallel
