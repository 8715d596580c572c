#include <algorithm>
#include <iostream>

#include <gtest/gtest.h>

#include "listing.hpp"
#include "recorded_run.hpp"

// The sets and steps of a wmma on Volta against what was measured on a Titan V (Raihan et al., ISPASS 2019, figure 9).

namespace {

using namespace tc;
using fabric::cycle_t;
using silicon::listing;

const std::string hmma = "HMMA.884";

bool is_hmma(const std::string& line) { return line.find(hmma) != std::string::npos; }

/// "R8" of an HMMA's line.
std::string destination_of(const std::string& line) {
  const auto begin = line.find(" R", line.find(hmma)) + 1;
  return line.substr(begin, line.find(',') - begin);
}

/// From the clock read before the first HMMA on to the last HMMA.
listing measured_part(const std::string& sums) {
  const listing code = silicon::listing_of("sm_70.wmma_f16_" + sums + "_m16n16k16");
  const auto first = std::find_if(code.begin(), code.end(), [](const auto& line) { return line.find("CLOCKLO") != std::string::npos; });
  const auto last = std::find_if(code.rbegin(), code.rend(), is_hmma);
  return {first, last.base()};
}

/// The code up to its first 1, 2, 3, ... HMMAs, each followed by a clock read in the place of the next one. It writes the registers that
/// the next one, or the last itself, accumulates in: where no control code says so, it waits for what that would wait for.
std::vector<listing> probed(const listing& code) {
  std::vector<listing> result;
  for (auto line = code.begin(); line != code.end(); ++line) {
    if (!is_hmma(*line)) continue;
    const auto next = line + 1 == code.end() ? line : line + 1;
    result.emplace_back(code.begin(), line + 1);
    result.back().push_back("[B------:R-:W-:-:S06] CS2R " + destination_of(*next) + ", SR_CLOCKLO");
  }
  return result;
}

class volta_wmma : public testing::TestWithParam<std::string> {
 protected:
  std::vector<cycle_t> measured() const {
    for (const auto& row : silicon::rows_of("volta_wmma_cycles.csv"))
      if (row[0] == GetParam()) return silicon::numbers_in(row[1]);
    return {};
  }
  std::vector<listing> kernels = probed(measured_part(GetParam()));
  config::machine volta = silicon::machine_of("volta");
};

TEST_P(volta_wmma, takes_the_measured_cycles) {
  EXPECT_EQ(silicon::clock_differences(silicon::run_listings("sm_70", kernels, volta)), measured());
}

TEST_P(volta_wmma, takes_them_by_structure_and_scoreboard_alone) {
  for (listing& code : kernels) code = silicon::without_control(code);
  EXPECT_EQ(silicon::clock_differences(silicon::run_listings("sm_70", kernels, volta)), measured());
}

INSTANTIATE_TEST_SUITE_P(with_sums_in, volta_wmma, testing::Values("f32", "f16"));

/// Without the reuse cache each step reads six registers from two banks: three cycles.
TEST(volta_reuse, feeds_the_operand_buses) {
  const listing code = silicon::without_control(silicon::without_reuse(measured_part("f32")));
  const auto cycles = silicon::clock_differences(silicon::run_listings("sm_70", probed(code), silicon::machine_of("volta")));
  ASSERT_EQ(cycles.size(), 16u);
  EXPECT_EQ(cycles[2] - cycles[1], 3u);
}

/// A mixed-precision step uses 4096 of the 6144 operand bits that three buses of a register pair per lane carry; half of the registers of
/// the sixteen steps come from the reuse cache (Raihan et al., ISPASS 2019, section IV).
TEST(volta_operands, are_used_by_two_thirds) {
  const auto trace = trace::trace::open(std::filesystem::path(TC_SOURCE_DIR) / "traces/sm_70.wmma_f16_f32_m16n16k16/kernel.trace");
  device::gpu gpu("gpu", silicon::machine_of("volta"), {{"trace", &trace}}, silicon::preset_options());
  const auto result = gpu.run();
  EXPECT_EQ(result.mismatches(), 0u);
  EXPECT_TRUE(result.warnings().empty()) << result.warnings().front();
  EXPECT_EQ(silicon::statistic_sum("tensor", "operand_bits_carried"), 16u * 6144);
  EXPECT_EQ(silicon::statistic_sum("tensor", "operand_bits_used"), 16u * 4096);
  EXPECT_EQ(silicon::statistic_sum("operand_fetch", "reuse_hits"), 16u * 6 / 2);
  EXPECT_EQ(silicon::statistic_sum("b_buffer", "fills"), 16u * 4) << "a tile for each octet";
}

/// Cycles of eight wmma in a row, each adding to the sums of the one before, with so many warps on an SM.
cycle_t cycles_of_chain(unsigned warps) {
  const listing once = silicon::without_control(measured_part("f32"));
  listing chain(once.begin(), std::find_if(once.begin(), once.end(), is_hmma));
  listing sets(once.begin() + static_cast<std::ptrdiff_t>(chain.size()), once.end());
  for (unsigned i = 0; i < 8; ++i) chain.insert(chain.end(), sets.begin(), sets.end());
  chain.push_back("CS2R R6, SR_CLOCKLO");
  return silicon::clock_differences(silicon::run_listings("sm_70", {chain}, silicon::machine_of("volta"), warps)).at(0);
}

// One warp of a sub-core has both tensor cores: up to four warps take as long as one, five to eight about twice as long.
class volta_warps : public testing::TestWithParam<unsigned> {};

TEST_P(volta_warps, share_the_tensor_cores_of_their_sub_core) {
  constexpr double alone = 8 + 8 * 4 * 10 + 6;  // to the first HMMA, eight times four sets of ten cycles, to the last result
  const double ratio = static_cast<double>(cycles_of_chain(GetParam())) / alone;
  std::cout << GetParam() << " warps take " << ratio << " times as long as one\n";
  if (GetParam() <= 4) {
    EXPECT_NEAR(ratio, 1, 0.02);
  } else {
    EXPECT_GT(ratio, 1.5);
    EXPECT_LT(ratio, 2.1);
  }
}

INSTANTIATE_TEST_SUITE_P(of, volta_warps, testing::Values(1u, 4u, 5u, 8u));

}  // namespace
