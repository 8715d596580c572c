// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <tc/config/machine_loader.hpp>
#include <tc/device/gpu.hpp>
#include <tc/execution/timed_launch.hpp>
#include <tc/launches/launch_code.hpp>
#include <tc/launches/launch_reader.hpp>

// Kernels that read the clock (record/launches/branch_clocks.cu, copy_clocks.cu): their machine code runs on the model, and what it stores
// is compared with what it stored on an H100.

namespace tc::h100_clocks_test {
namespace {

namespace fs = std::filesystem;
using words = std::vector<std::uint32_t>;

struct clocks {
  words measured, modelled;
};

/// Runs a recorded launch. `parameter`: which of its parameters points to the clocks.
clocks clocks_of(const std::string& name, std::size_t parameter) {
  const fs::path folder = fs::path(TC_SOURCE_DIR) / "tb/silicon/data/h100_clocks" / name;
  launches::launch launch = launches::read_launch(folder);
  std::uint64_t address = 0;
  std::memcpy(&address, launch.parameters.at(parameter).bytes.data(), sizeof address);
  const listings::sass_kernel kernel = launches::read_launch_code(launch).kernel;
  const config::machine hopper = config::load_machine(std::string(TC_SOURCE_DIR) + "/configs/hopper.json");
  const execution::timed_launch timed(std::move(launch), kernel, hopper, false);
  device::run_options options;
  options.data = false;
  device::gpu gpu("gpu", hopper, {{name, &timed.trace()}}, options);
  EXPECT_EQ(gpu.run().status, accounting::run_status::finished);

  clocks read;
  std::ifstream file(folder / "clocks.bin", std::ios::binary);
  const std::vector<char> bytes((std::istreambuf_iterator<char>(file)), {});
  read.measured.resize(bytes.size() / sizeof(std::uint32_t));
  std::memcpy(read.measured.data(), bytes.data(), bytes.size());
  for (const auto& range : timed.last_run()->memory.ranges())
    if (range.base == address) {
      read.modelled.resize(range.bytes / sizeof(std::uint32_t));
      std::memcpy(read.modelled.data(), range.content.data(), range.bytes);
    }
  EXPECT_EQ(read.modelled.size(), read.measured.size());
  return read;
}

void expect_near(std::uint32_t modelled, std::uint32_t measured, double share, const std::string& what) {
  EXPECT_NEAR(modelled, measured, share * measured) << what;
  std::cout << what << ": " << modelled << " cycles, measured " << measured << '\n';
}

TEST(h100_loops, take_the_cycles_of_their_branches_and_calls) {
  constexpr std::array names{"one instruction", "16 instructions", "32 instructions",           "64 instructions",
                             "a call",          "a branch over",   "a branch that is not taken"};
  const clocks read = clocks_of("loops", 0);
  const std::size_t last = 2 * names.size();  // the last pass
  for (std::size_t i = 0; i < names.size(); ++i)
    expect_near(read.modelled.at(last + i), read.measured.at(last + i), 0.03, std::string("16 turns of ") + names[i]);
}

/// The clocks of all lanes at a place of the last pass.
words at_place(const words& all, unsigned place) {
  constexpr unsigned lanes = 32, places = 20, pass = 2;
  const auto first = all.begin() + (pass * places + place) * lanes;
  return {first, first + lanes};
}

/// Lanes by the time at which they come to a place; those that come together count as one.
std::vector<std::uint32_t> order_of(const words& times) {
  words sorted = times;
  std::sort(sorted.begin(), sorted.end());
  sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
  std::vector<std::uint32_t> order;
  for (const std::uint32_t time : times)
    order.push_back(static_cast<std::uint32_t>(std::lower_bound(sorted.begin(), sorted.end(), time) - sorted.begin()));
  return order;
}

class h100_ways : public testing::TestWithParam<const char*> {};

/// The fewer lanes go first, or those that do not take the branch; none makes place while it waits for memory; and those that were set
/// aside last go on next.
TEST_P(h100_ways, are_gone_in_the_order_of_silicon) {
  const clocks read = clocks_of(GetParam(), 0);
  for (const unsigned place : {0U, 1U, 3U, 4U, 6U, 7U, 9U, 14U, 17U})
    EXPECT_EQ(order_of(at_place(read.modelled, place)), order_of(at_place(read.measured, place))) << "place " << place;
}

TEST_P(h100_ways, come_together_when_those_of_silicon_do) {
  const clocks read = clocks_of(GetParam(), 0);
  for (const unsigned place : {2U, 5U, 8U, 11U, 12U, 15U, 19U})
    expect_near(at_place(read.modelled, place).front(), at_place(read.measured, place).front(), 0.06, "place " + std::to_string(place));
}

INSTANTIATE_TEST_SUITE_P(recorded, h100_ways, testing::Values("ways_upper_half", "ways_lane_0", "ways_middle"));

/// Bytes that are in the L2 cache, from the second pass on.
TEST(h100_copies, hold_a_warp_as_long_as_on_silicon) {
  const clocks read = clocks_of("copies", 1);
  constexpr unsigned measurements = 12, pass = 3;
  const auto compare = [&](unsigned which, double share, const char* what) {
    expect_near(read.modelled.at(pass * measurements + which), read.measured.at(pass * measurements + which), share, what);
  };
  compare(0, 0.03, "one copy of 16 bytes a lane");
  compare(4, 0.03, "a group of eight copies");
  compare(5, 0.03, "the issue of four groups");
}

/// The clocks of the warps for a measurement of the last pass.
words of_warps(const words& all, unsigned measurement, unsigned warps) {
  constexpr unsigned measurements = 6, pass = 2, places = 32;
  const auto first = all.begin() + (pass * measurements + measurement) * places;
  return {first, first + warps};
}

std::uint32_t longest(const words& clocks) { return *std::max_element(clocks.begin(), clocks.end()); }

struct warps_at_once {
  const char* recording;
  unsigned warps;

  friend std::ostream& operator<<(std::ostream& out, const warps_at_once& at_once) { return out << at_once.recording; }
};

class h100_fragments : public testing::TestWithParam<warps_at_once> {};

/// Six loads of four matrices and sixteen products, of all warps at once and beside each other.
TEST_P(h100_fragments, are_loaded_and_multiplied_as_fast_as_on_silicon) {
  const clocks read = clocks_of(GetParam().recording, 0);
  const auto compare = [&](unsigned measurement, const char* what) {
    expect_near(longest(of_warps(read.modelled, measurement, GetParam().warps)),
                longest(of_warps(read.measured, measurement, GetParam().warps)), 0.06, what);
  };
  compare(2, "sixteen products");
  compare(4, "twice six loads and sixteen products");
}

INSTANTIATE_TEST_SUITE_P(recorded, h100_fragments,
                         testing::Values(warps_at_once{"fragments_1_warp", 1}, warps_at_once{"fragments_8_warps", 8}),
                         [](const auto& test) { return std::string(test.param.recording); });

/// Copies in front of loads of fragments: what the model does not have yet is the path that the sub-cores share, of a line a cycle, on
/// which loads from shared memory wait behind copies. This shows how far it is off; one warp to an SM has none of it.
class h100_copies_and_fragments : public testing::TestWithParam<warps_at_once> {};

TEST_P(h100_copies_and_fragments, are_shown_beside_silicon) {
  const clocks read = clocks_of(GetParam().recording, 1);
  const char* const parts[] = {"the issue of four copies", "six loads and four products", "twelve products", "the wait for the copies"};
  for (unsigned part = 0; part < std::size(parts); ++part)
    std::cout << parts[part] << ": " << longest(of_warps(read.modelled, part, GetParam().warps)) << " cycles, measured "
              << longest(of_warps(read.measured, part, GetParam().warps)) << '\n';
  EXPECT_NEAR(longest(of_warps(read.modelled, 2, GetParam().warps)), longest(of_warps(read.measured, 2, GetParam().warps)), 8);
}

INSTANTIATE_TEST_SUITE_P(recorded, h100_copies_and_fragments,
                         testing::Values(warps_at_once{"copies_and_fragments_4_warps", 4},
                                         warps_at_once{"copies_and_fragments_8_warps", 8}),
                         [](const auto& test) { return std::string(test.param.recording); });

}  // namespace
}  // namespace tc::h100_clocks_test
