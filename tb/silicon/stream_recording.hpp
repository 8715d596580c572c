// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <tc/accounting/run_result.hpp>

namespace tc::silicon {

/// A stream of matrix instructions between two clock reads, as timed on an H200 with a number of warps.
struct stream_row {
  std::string variant;
  unsigned warps = 0, chains = 0, length = 0;

  /// The name of its trace, without the ending.
  std::string name() const {
    return variant + ".w" + std::to_string(warps) + ".c" + std::to_string(chains) + ".l" + std::to_string(length);
  }
};

/// The recordings beside the project, or the few of them in the project.
std::filesystem::path timing_folder();

/// The lines of a CSV file behind its heading, each split at its commas.
std::vector<std::vector<std::string>> csv_rows(const std::filesystem::path& file);

/// Cycles between the two clock reads of a repetition: the least of the repetitions but the first, which ran cold on the GPU; the most of
/// all warps.
long stream_cycles(const accounting::run_result& result);

/// The clock reads of each warp, by its number.
std::vector<std::vector<long>> clocks_of_warps(const accounting::run_result& result, unsigned warps);

/// Computes numbers in a process of its own: SystemC elaborates once in a process. Empty if that process fails.
std::vector<long> in_child(const std::function<std::vector<long>()>& compute);

}  // namespace tc::silicon
