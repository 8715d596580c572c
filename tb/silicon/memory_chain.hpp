// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <ostream>
#include <string>
#include <vector>

#include <tc/fabric/clocked.hpp>

namespace tc::silicon {

/// A chain of dependent loads of one warp between two clock reads, recorded on an H200.
struct memory_chain {
  std::string load;  ///< "LDS.32 dependent", "LDSM.x4 dependent", "LDG.32 dependent", ...
  std::string detail;
  unsigned words = 0;  ///< between neighbouring lanes or rows
  unsigned loads = 0;
  unsigned cycles = 0;  ///< recorded
};

std::ostream& operator<<(std::ostream& out, const memory_chain& chain);

/// The rows of h200_memory.csv in a folder.
std::vector<memory_chain> memory_chains(const std::filesystem::path& folder);

/// Cycles between the clock reads. Throws std::runtime_error if the chain does not finish.
fabric::cycle_t cycles_of(const memory_chain& chain);

}  // namespace tc::silicon
