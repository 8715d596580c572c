#include <algorithm>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>

#include <gtest/gtest.h>

#include "recorded_run.hpp"

namespace {

using namespace tc;

/// One row of timing/h200_mma_sync.csv: a stream of matrix instructions between two clock reads, timed on an H200.
struct row {
  std::string variant;
  unsigned warps = 0, chains = 0, length = 0;
  long cycles = 0;

  std::string name() const {
    return variant + ".w" + std::to_string(warps) + ".c" + std::to_string(chains) + ".l" + std::to_string(length);
  }
};

std::ostream& operator<<(std::ostream& out, const row& r) { return out << r.name(); }

/// The recordings beside the project, or the few of them in the project.
std::filesystem::path timing_folder() {
  const auto shared = silicon::shared_folder();
  return shared.empty() ? std::filesystem::path(TC_SOURCE_DIR) / "tb/silicon/data" : shared / "timing";
}

std::vector<row> rows() {
  std::ifstream file(timing_folder() / "h200_mma_sync.csv");
  std::vector<row> result;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::replace(line.begin(), line.end(), ',', ' ');
    std::istringstream fields(line);
    row r;
    if (fields >> r.variant >> r.warps >> r.chains >> r.length >> r.cycles) result.push_back(r);
  }
  return result;
}

/// Cycles between the two clock reads of a repetition: the least of the repetitions but the first, which ran cold on the GPU; the most of
/// all warps.
long stream_cycles(const device::run_result& result) {
  std::map<std::uint32_t, std::vector<long>> reads;
  for (const auto& read : result.clock_reads) reads[read.warp].push_back(static_cast<long>(read.cycle));
  long slowest = 0;
  for (const auto& [warp, cycles] : reads) {
    long least = std::numeric_limits<long>::max();
    for (std::size_t r = 1; 2 * r + 1 < cycles.size(); ++r) least = std::min(least, cycles[2 * r + 1] - cycles[2 * r]);
    slowest = std::max(slowest, least);
  }
  return slowest;
}

class h200_mma_sync : public testing::TestWithParam<row> {};

TEST_P(h200_mma_sync, takes_the_cycles_of_the_gpu) {
  const row& recorded = GetParam();
  const auto file = timing_folder() / "h200_mma_sync" / (recorded.name() + ".trace.xz");
  const auto trace = trace::trace::open(file);
  const auto result = silicon::run(trace, silicon::machine_of("hopper"), silicon::preset_options());
  ASSERT_EQ(result.status, device::run_status::finished);
  EXPECT_TRUE(result.hazards.empty()) << "the compiler's control codes must be enough for the model's latencies";
  const long error = stream_cycles(result) - recorded.cycles;
  std::cout << recorded.name() << ": recorded " << recorded.cycles << ", model " << recorded.cycles + error << ", error " << error << '\n';
  // With one warp to a sub-core nothing but the structure decides. How several warps share one, and how the register ports delay what
  // follows a longer run of matrix instructions, is not modelled to the cycle yet: those rows are reported.
  if (recorded.warps <= 4 && recorded.chains <= 4) {
    EXPECT_LE(std::abs(error), 2);
  }
}

INSTANTIATE_TEST_SUITE_P(recorded, h200_mma_sync, testing::ValuesIn(rows()), [](const auto& test) {
  std::string name = test.param.name();
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
});

TEST(h200_mma_sync_rows, are_there) {
  std::cout << "rows of " << timing_folder() << ": " << rows().size() << '\n';
  EXPECT_GE(rows().size(), 4u);
}

}  // namespace
