// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "stream_recording.hpp"

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
