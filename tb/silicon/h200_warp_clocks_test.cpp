#include <algorithm>
#include <cmath>
#include <cstdint>
#include <iostream>
#include <map>

#include <gtest/gtest.h>

#include "recorded_run.hpp"
#include "stream_recording.hpp"

namespace {

using namespace tc;

/// When one repetition of a stream began and ended on the GPU, from the first clock read of warp 0 in the same repetition.
struct repetition {
  std::size_t number = 0, warp = 0;
  long begin = 0, end = 0;
};

struct recording {
  silicon::stream_row stream;
  std::vector<repetition> repetitions;
};

/// Differences of 32-bit counters.
long signed_cycles(const std::string& text) { return static_cast<std::int32_t>(static_cast<std::uint32_t>(std::stoul(text))); }

std::vector<recording> recordings() {
  std::map<std::string, recording> by_name;
  for (const auto& fields : silicon::csv_rows(silicon::timing_folder() / "h200_warp_clocks.csv")) {
    const auto number = [&fields](unsigned i) { return static_cast<unsigned>(std::stoul(fields.at(i))); };
    const silicon::stream_row stream{fields.at(0), number(1), number(2), number(3)};
    recording& entry = by_name[stream.name()];
    entry.stream = stream;
    entry.repetitions.push_back({number(4), number(5), signed_cycles(fields.at(6)), signed_cycles(fields.at(7))});
  }
  std::vector<recording> result;
  for (auto& [name, entry] : by_name) result.push_back(std::move(entry));
  return result;
}

/// Repetitions whose begin and end are within 3 % of their length.
std::size_t matches(const recording& recorded, const std::vector<std::vector<long>>& clocks) {
  return static_cast<std::size_t>(std::count_if(recorded.repetitions.begin(), recorded.repetitions.end(), [&](const repetition& r) {
    const long zero = clocks[0].at(2 * r.number);
    const long begin = clocks[r.warp].at(2 * r.number) - zero, end = clocks[r.warp].at(2 * r.number + 1) - zero;
    return 100 * std::max(std::labs(begin - r.begin), std::labs(end - r.end)) <= 3 * (r.end - r.begin);
  }));
}

/// The repetitions that the model matches.
std::vector<long> model_matches(const recording& recorded) {
  return silicon::in_child([&recorded] {
    const auto file = silicon::timing_folder() / "h200_warp_clocks" / (recorded.stream.name() + ".trace.xz");
    auto options = silicon::preset_options();
    options.data = false;
    const auto trace = trace::trace::open(file);
    const auto result = silicon::run(trace, silicon::machine_of("hopper"), options);
    return std::vector<long>{static_cast<long>(matches(recorded, silicon::clocks_of_warps(result, recorded.stream.warps)))};
  });
}

// With one warp to a sub-core every repetition of every warp begins and ends where it did. Which of several warps comes first depends on
// what the recordings do not show, so those are reported.
TEST(h200_warp_clocks, repetitions_begin_and_end_as_on_the_gpu) {
  if (silicon::shared_folder().empty()) GTEST_SKIP() << "needs the recordings beside the project";
  unsigned streams = 0;
  for (const recording& recorded : recordings()) {
    const auto found = model_matches(recorded);
    ASSERT_EQ(found.size(), 1u) << recorded.stream.name();
    ++streams;
    std::cout << recorded.stream.name() << ": " << found[0] << " of " << recorded.repetitions.size() << '\n';
    if (recorded.stream.warps <= 4) {
      EXPECT_EQ(static_cast<std::size_t>(found[0]), recorded.repetitions.size()) << recorded.stream.name();
    }
  }
  EXPECT_GE(streams, 40u);
}

}  // namespace
