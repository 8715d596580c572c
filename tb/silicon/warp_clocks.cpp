// SPDX-License-Identifier: Apache-2.0
#include "warp_clocks.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <map>
#include <stdexcept>

#include "recorded_run.hpp"

namespace tc::silicon {

namespace {

/// Differences of 32-bit counters.
long signed_cycles(const std::string& text) { return static_cast<std::int32_t>(static_cast<std::uint32_t>(std::stoul(text))); }

}  // namespace

std::vector<warp_clock_recording> warp_clock_recordings(const std::filesystem::path& folder) {
  std::map<std::string, warp_clock_recording> by_name;
  for (const auto& fields : csv_rows(folder / "h200_warp_clocks.csv")) {
    const auto number = [&fields](unsigned i) { return static_cast<unsigned>(std::stoul(fields.at(i))); };
    const stream_row stream{fields.at(0), number(1), number(2), number(3)};
    warp_clock_recording& recording = by_name[stream.name()];
    recording.stream = stream;
    recording.repetitions.push_back({number(4), number(5), signed_cycles(fields.at(6)), signed_cycles(fields.at(7))});
  }
  std::vector<warp_clock_recording> result;
  result.reserve(by_name.size());
  for (auto& [name, recording] : by_name) result.push_back(std::move(recording));
  return result;
}

std::vector<repetition_clocks> modelled_clocks(const warp_clock_recording& recording, const std::filesystem::path& folder) {
  auto options = preset_options();
  options.data = false;
  const auto trace = trace::trace::open(folder / "h200_warp_clocks" / (recording.stream.name() + ".trace.xz"));
  const auto run_result = run(trace, machine_of("hopper"), options);
  if (run_result.status != accounting::run_status::finished) throw std::runtime_error(recording.stream.name() + " does not finish");
  const auto clocks = clocks_of_warps(run_result, recording.stream.warps);
  std::vector<repetition_clocks> result;
  result.reserve(recording.repetitions.size());
  for (const auto& [repetition, warp, begin, end] : recording.repetitions) {
    const long zero = clocks[0].at(2 * repetition);
    result.push_back({repetition, warp, clocks.at(warp).at(2 * repetition) - zero, clocks[warp].at(2 * repetition + 1) - zero});
  }
  return result;
}

bool matches(const repetition_clocks& recorded, const repetition_clocks& modelled) {
  const long worst = std::max(std::labs(modelled.begin - recorded.begin), std::labs(modelled.end - recorded.end));
  return 100 * worst <= 3 * (recorded.end - recorded.begin);
}

}  // namespace tc::silicon
