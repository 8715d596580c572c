// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <ostream>
#include <string>
#include <vector>

#include <tc/fabric/clocked.hpp>

namespace tc::silicon {

/// So many wgmma.mma_async of one warpgroup on one accumulator between two clock reads, then a commit and a wait.
struct wgmma_batch {
  unsigned n = 8;
  std::string types = "f32.f16.f16";  ///< of D, A and B, as PTX spells them
  bool a_in_registers = false;
  unsigned length = 1;
  unsigned warpgroups = 1;  ///< that do so at once
};

/// K of one instruction: 32 bytes.
unsigned k_of(const wgmma_batch& batch);

std::ostream& operator<<(std::ostream& out, const wgmma_batch& batch);

/// A batch with the cycles recorded on an H200.
struct wgmma_row {
  wgmma_batch batch;
  long cycles = 0;
};

/// The rows of h200_wgmma.csv in a folder, but for those with A in registers that the compiler broke up: batches of 64.
std::vector<wgmma_row> wgmma_rows(const std::filesystem::path& folder);

/// Cycles between the clock reads, the most of all warps. Throws std::runtime_error if the run does not finish.
fabric::cycle_t cycles_of(const wgmma_batch& batch);

}  // namespace tc::silicon
