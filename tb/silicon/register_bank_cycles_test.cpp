#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "issue_log.hpp"
#include "recorded_run.hpp"

namespace {

using namespace tc;

/// One row of timing/h200_register_banks.csv: a stream of FFMA with sources in chosen banks, timed on an H200.
struct bank_row {
  std::string destination, sources;
  unsigned reuse = 0, stall = 0, warps = 0;
  double cycles = 0;
};

std::ostream& operator<<(std::ostream& out, const bank_row& r) {
  return out << "FFMA " << r.destination << " <- " << r.sources << " reuse " << r.reuse << " stall " << r.stall << " warps " << r.warps;
}

/// Rows of one warp, and of four warps on four sub-cores.
std::vector<bank_row> rows() {
  std::ifstream file(silicon::shared_folder() / "timing/h200_register_banks.csv");
  std::vector<bank_row> result;
  std::string line, instruction, field;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::istringstream fields(line);
    bank_row r;
    std::getline(fields, instruction, ',');
    std::getline(fields, r.destination, ',');
    std::getline(fields, r.sources, ',');
    std::getline(fields, field);
    std::replace(field.begin(), field.end(), ',', ' ');
    std::istringstream numbers(field);
    if (numbers >> r.reuse >> r.stall >> r.warps >> r.cycles && r.warps <= 4) result.push_back(r);
  }
  return result;
}

/// Without the recordings: what they say about each combination of sources, at stall 1.
std::vector<bank_row> known_rows() {
  return {{"even", "E E E", 0, 1, 1, 3},       {"even", "E E E", 1, 1, 1, 2},       {"even", "E E E", 3, 1, 1, 1},
          {"odd", "E O E", 0, 1, 1, 2},        {"even", "E O E", 2, 1, 1, 2},       {"even", "E O E", 4, 1, 1, 1},
          {"even", "E E(same) O", 0, 1, 1, 1}, {"even", "E E(same) E", 1, 1, 1, 2}, {"even", "E x3 same", 0, 1, 1, 1},
          {"even", "O O O", 0, 1, 4, 3}};
}

std::vector<bank_row> rows_to_run() { return silicon::shared_folder().empty() ? known_rows() : rows(); }

/// Register names of the three sources: each in a register of its own unless the row says "same".
std::vector<std::string> sources_of(const bank_row& row) {
  if (row.sources == "E x3 same") return {"R2", "R2", "R2"};
  if (row.sources == "E E(same) O") return {"R2", "R2", "R5"};
  if (row.sources == "E E(same) E") return {"R2", "R2", "R4"};
  std::vector<std::string> result;
  unsigned even = 2, odd = 3;
  for (const char bank : row.sources) {
    if (bank == 'E') result.push_back("R" + std::to_string(even));
    if (bank == 'O') result.push_back("R" + std::to_string(odd));
    if (bank == 'E') even += 2;
    if (bank == 'O') odd += 2;
  }
  return result;
}

class register_bank_cycles : public testing::TestWithParam<bank_row> {};

TEST_P(register_bank_cycles, are_those_of_the_gpu) {
  constexpr unsigned instructions = 128;
  auto sources = sources_of(GetParam());
  ASSERT_EQ(sources.size(), 3u);
  for (unsigned slot = 0; slot < 3; ++slot)
    if ((GetParam().reuse >> slot & 1u) != 0) sources[slot] += ".reuse";
  std::vector<std::string> stream;
  for (unsigned i = 0; i < instructions; ++i) {
    const unsigned destination = 32 + 2 * (i % 16) + (GetParam().destination == "odd" ? 1 : 0);
    stream.push_back("[B------:R-:W-:-:S0" + std::to_string(GetParam().stall) + "] FFMA R" + std::to_string(destination) + ", " +
                     sources[0] + ", " + sources[1] + ", " + sources[2]);
  }
  stream.emplace_back("[B------:R-:W-:-:S01] IADD3 R8, R9, R10, RZ");
  const auto trace = silicon::make_trace("sm_90", std::vector<std::vector<std::string>>(GetParam().warps, stream));
  silicon::issue_log log;
  auto options = silicon::preset_options();
  options.data = false;
  options.binder = &log;
  EXPECT_EQ(silicon::run(trace, silicon::machine_of("hopper"), options).status, device::run_status::finished);
  const auto cycles = log.cycles(0, "FFMA");
  ASSERT_EQ(cycles.size(), instructions);
  // The recording is over 128 instructions between two clock reads, whose own cycles are in it. Here the first few issue freely, until the
  // stages behind issue are full.
  constexpr unsigned filling = 4;
  const double total = static_cast<double>(cycles.back() - cycles[filling - 1]) * instructions / (instructions - filling);
  EXPECT_NEAR(total, std::round(GetParam().cycles) * instructions, 4);
}

INSTANTIATE_TEST_SUITE_P(recorded, register_bank_cycles, testing::ValuesIn(rows_to_run()));

}  // namespace
