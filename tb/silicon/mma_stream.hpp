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

// When the repetitions of a stream began and ended in each warp, as recorded on an H200, in the model.

namespace tc::silicon {

/// One repetition in one warp, from the first clock read of warp 0 in the same repetition.
struct repetition_clocks {
  std::size_t repetition = 0, warp = 0;
  long begin = 0, end = 0;
};

struct warp_clock_recording {
  stream_row stream;
  std::vector<repetition_clocks> repetitions;
};

/// The recordings of h200_warp_clocks.csv in a folder.
std::vector<warp_clock_recording> warp_clock_recordings(const std::filesystem::path& folder);

/// The same repetitions in the model, from the trace in that folder. Throws std::runtime_error if the stream does not finish.
std::vector<repetition_clocks> modelled_clocks(const warp_clock_recording& recording, const std::filesystem::path& folder);

/// Whether begin and end are within 3 % of the recorded length.
bool matches(const repetition_clocks& recorded, const repetition_clocks& modelled);

}  // namespace tc::silicon
