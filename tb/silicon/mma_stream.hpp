// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "stream_recording.hpp"

// Streams of matrix instructions between two clock reads, as recorded on an H200, in the model.

namespace tc::silicon {

/// Cycles of a stream as it was compiled, from the trace in a folder of recordings. Throws std::runtime_error if it does not finish, or
/// reads values too early: the compiler's control codes must be enough for the model's latencies.
long cycles_of(const stream_row& stream, const std::filesystem::path& folder);

/// A stream with the stall count and the reuse flags of every matrix instruction overwritten, and no yield.
struct overwritten_stream {
  stream_row stream;
  unsigned stall = 0, reuse = 0;
  long cycles = 0;  ///< recorded
};

/// The rows of h200_issue_interval.csv whose stream was recorded as compiled, too.
std::vector<overwritten_stream> overwritten_streams(const std::filesystem::path& folder);

/// Cycles of it. Throws std::runtime_error if it does not finish.
long cycles_of(const overwritten_stream& row, const std::filesystem::path& folder);

}  // namespace tc::silicon
