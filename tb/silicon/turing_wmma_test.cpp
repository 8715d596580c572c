#include <cstdlib>
#include <iostream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <tc/isa/register_mma.hpp>
#include <tc/isa/wmma_sets.hpp>

#include "listing.hpp"
#include "recorded_run.hpp"

// The sets of a wmma on Turing against what was measured on an RTX 2080 Ti (Shin, Yonsei University, 2020, table 2).

namespace {

using namespace tc;
using fabric::cycle_t;
using silicon::listing;

/// First registers of the wmma's operands.
constexpr unsigned a_base = 16, b_base = 24, c_base = 32;

std::string wmma_name(const std::string& precision, const std::string& tile) {
  if (precision == "s8") return "wmma." + tile + ".s8.s32";
  return "wmma." + tile + ".f16." + (precision == "mixed" ? "f32" : "f16");
}

std::string instruction_of(const isa::wmma_set& set, const std::string& precision) {
  const unsigned a = a_base + set.a.front(), b = b_base + set.b.front(), c = c_base + set.c.front();
  if (precision == "s8") return fmt::format("IMMA.8816.S8.S8 R{}, R{}.ROW, R{}.COL, R{}", c, a, b, c);
  return fmt::format("HMMA.1688.{} R{}, R{}, R{}, R{}", precision == "mixed" ? "F32" : "F16", c, set.transposed ? b : a,
                     set.transposed ? a : b, c);
}

/// Waits for the barriers of the sets in the mask, sets no barrier or that of one set.
std::string control(unsigned waits, int sets, unsigned stall) {
  std::string mask;
  for (unsigned b = 0; b < 6; ++b) mask += (waits >> b & 1) != 0 ? static_cast<char>('0' + b) : '-';
  return fmt::format("[B{}:R-:W{}:-:S{:02}] ", mask, sets < 0 ? "-" : std::to_string(sets), stall);
}

/// The control codes are an assumption, the same for every row: set i sets barrier i and stalls for 8 cycles (IMMA 4), a set that adds to
/// the sums of an earlier one waits for that one's barrier, and the clock read behind the last set waits for all.
listing kernel_until(std::size_t last, const std::string& precision, const std::vector<isa::wmma_set>& sets) {
  listing code{control(0, -1, 2) + "CS2R R6, SR_CLOCKLO"};
  for (std::size_t i = 0; i <= last; ++i) {
    unsigned waits = 0;
    for (std::size_t earlier = 0; earlier < i; ++earlier) waits |= sets[earlier].c == sets[i].c ? 1u << earlier : 0u;
    code.push_back(control(waits, static_cast<int>(i), precision == "s8" ? 4 : 8) + instruction_of(sets[i], precision));
  }
  code.push_back(control(last + 1 == sets.size() ? 0xf : 0, -1, 6) + "CS2R R8, SR_CLOCKLO");
  return code;
}

/// A row: the cycles after each of the four sets. Those after the first depend on what lies between the clock and it, which is not known;
/// the intervals do not.
class turing_wmma : public testing::TestWithParam<std::vector<std::string>> {
 protected:
  std::vector<cycle_t> measured() const {
    std::vector<cycle_t> cycles;
    for (std::size_t i = 2; i < GetParam().size(); ++i) cycles.push_back(std::stoull(GetParam()[i]));
    return cycles;
  }

  /// With the first value of the row.
  std::vector<cycle_t> modelled() const {
    const std::string &precision = GetParam()[0], &tile = GetParam()[1];
    const auto sets =
        isa::wmma_sets(isa::parse_register_mma(wmma_name(precision, tile), isa::architecture::sm_75).mma, isa::architecture::sm_75);
    std::vector<listing> kernels;
    for (std::size_t last = 0; last < sets.size(); ++last) kernels.push_back(kernel_until(last, precision, sets));
    auto cycles = silicon::clock_differences(silicon::run_listings("sm_75", kernels, silicon::machine_of("turing_geforce")));
    const cycle_t offset = measured().front() - cycles.front();
    for (cycle_t& cycle : cycles) cycle += offset;
    return cycles;
  }
};

TEST_P(turing_wmma, takes_the_measured_intervals) {
  const std::string &precision = GetParam()[0], &tile = GetParam()[1];
  const auto expected = measured(), found = modelled();
  std::cout << fmt::format("{} {}: measured {} {} {} {}, modelled {} {} {} {}\n", precision, tile, expected[0], expected[1], expected[2],
                           expected[3], found[0], found[1], found[2], found[3]);
  if (precision == "s8" || (precision == "f16" && tile == "m8n32k16")) {
    EXPECT_EQ(found, expected);
    return;
  }
  for (std::size_t i = 1; i < expected.size(); ++i) {
    const double error = static_cast<double>(found[i] - found[i - 1]) - static_cast<double>(expected[i] - expected[i - 1]);
    EXPECT_LE(std::abs(error), precision == "f16" ? 2 : 3) << "interval " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(rows, turing_wmma, testing::ValuesIn(silicon::rows_of("turing_wmma_cycles.csv")),
                         [](const auto& row) { return row.param[0] + "_" + row.param[1]; });

/// Cycles between the clock reads of a compiled kernel of one INT4 or single-bit instruction.
cycle_t cycles_of_micro_kernel(const std::string& kernel, const std::vector<std::string>& assignments) {
  const auto trace = trace::trace::open(silicon::shared_folder() / "traces" / ("sm_75.micro_" + kernel + ".trace"));
  const auto result = silicon::run(trace, silicon::machine_of("turing_geforce", assignments), silicon::preset_options());
  EXPECT_EQ(result.mismatches(), 0u);
  return silicon::clock_differences(result).at(0);
}

/// The 365 cycles that tables give for one INT4 or single-bit instruction, whose latency is 10: compiled code reads the clock before the
/// operands have come from global memory, so that the interval grows with the memory's latency, cycle for cycle.
class turing_micro_kernel : public testing::TestWithParam<std::pair<std::string, unsigned>> {};

TEST_P(turing_micro_kernel, waits_for_global_memory_between_its_clock_reads) {
  if (silicon::shared_folder().empty()) GTEST_SKIP() << "the compiled kernels are not there";
  const auto [kernel, latency] = GetParam();
  const cycle_t cycles = cycles_of_micro_kernel(kernel, {"global_memory.latency_cycles=" + std::to_string(latency)});
  std::cout << kernel << " with a global memory of " << latency << " cycles: " << cycles << '\n';
  EXPECT_GT(cycles, latency);
  EXPECT_LT(cycles, latency + 60);
}

INSTANTIATE_TEST_SUITE_P(of, turing_micro_kernel,
                         testing::Values(std::pair{"s4_s32_m8n8k32", 216u}, std::pair{"s4_s32_m8n8k32", 330u},
                                         std::pair{"b1_s32_m8n8k128", 330u}));

}  // namespace
