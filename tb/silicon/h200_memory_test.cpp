#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "recorded_run.hpp"

namespace {

using namespace tc;

/// One row of timing/h200_memory.csv: a chain of dependent loads between two clock reads, recorded on an H200.
struct memory_row {
  std::string load;  ///< "LDS.32 dependent", ...
  std::string detail;
  unsigned words = 0;  ///< between neighbouring lanes or rows
  unsigned loads = 0;
  unsigned cycles = 0;
};

std::ostream& operator<<(std::ostream& out, const memory_row& row) { return out << row.load << "," << row.detail << " " << row.words; }

/// The row of a line such as "LDSM.x2 dependent, row words,16,64,3048,47.62".
memory_row parse(const std::string& line) {
  memory_row row;
  std::istringstream fields(line);
  std::getline(fields, row.load, ',');
  std::getline(fields, row.detail, ',');
  char comma = 0;
  fields >> row.words >> comma >> row.loads >> comma >> row.cycles;
  return row;
}

/// Without the recordings: some rows of each kind.
constexpr const char* known_rows =
    "LDS.32 dependent, stride words,1,64,1451,22.67\nLDS.32 dependent, stride words,32,64,5357,83.70\n"
    "LDSM.x1 dependent, row words,4,64,1808,28.25\nLDSM.x2 dependent, row words,32,64,4072,63.62\n"
    "LDSM.x4 dependent, row words,8,64,3263,50.98\nLDSM.x4 dependent, row words,36,64,2751,42.98\n"
    "LDG.32 dependent, L1 hit,0,64,2631,41.11\nLDG.32 dependent, L2 hit,0,64,20240,316.25\n";

std::vector<memory_row> rows() {
  std::ifstream file(silicon::shared_folder() / "timing/h200_memory.csv");
  std::istringstream few(std::string("header\n") + known_rows);
  std::istream& in = file ? static_cast<std::istream&>(file) : few;
  std::vector<memory_row> result;
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) result.push_back(parse(line));
  return result;
}

using lines = std::vector<std::string>;

lines shared_load(const memory_row& row) { return {fmt::format("[B0-----:R-:W0:-:S02] LDS R2, [R2] @ 0x400+{}", 4 * row.words)}; }

/// Matrices hold no addresses, so the recorded loop adds what it loads, zeros, to the address. The recording does not tell its
/// instructions; these take 5, 10 and 14 cycles for 1, 2 and 4 matrices, as the rows without conflicts want. All others are predicted.
lines matrix_load(const memory_row& row) {
  const std::string addresses = fmt::format("@ 0x400+{}", 4 * row.words);
  const std::string add = "[B------:R-:W-:-:S05] IADD3 R2, R2, R8, RZ";
  if (row.load.find("x1") != std::string::npos)
    return {"[B------:R-:W0:-:S02] LDSM.16.M88 R8, [R2] " + addresses, "[B0-----:R-:W-:-:S05] IADD3 R2, R2, R8, RZ"};
  if (row.load.find("x2") != std::string::npos)
    return {"[B------:R-:W0:-:S02] LDSM.16.M88.2 R8, [R2] " + addresses, "[B0-----:R-:W-:-:S05] LOP3.LUT R8, R8, R9, RZ, 0x3c, !PT", add};
  return {"[B------:R-:W0:-:S02] LDSM.16.M88.4 R8, [R2] " + addresses, "[B0-----:R-:W-:-:S04] LOP3.LUT R8, R8, R9, R10, 0x96, !PT",
          "[B------:R-:W-:-:S05] LOP3.LUT R8, R8, R11, RZ, 0x3c, !PT", add};
}

/// The loop adds what it loads to a 64-bit address.
lines global_load(const memory_row& row) {
  const std::string scope = row.detail.find("L2") != std::string::npos ? ".STRONG.GPU" : "";
  return {"[B------:R-:W0:-:S02] LDG.E" + scope + " R4, [R2.64] @ 0x10000", "[B0-----:R-:W-:-:S04] IADD3 R2, P0, R2, R4, RZ",
          "[B------:R-:W-:-:S05] IADD3.X R3, RZ, R3, RZ, P0, !PT"};
}

lines loop_of(const memory_row& row) {
  if (row.load.rfind("LDSM", 0) == 0) return matrix_load(row);
  return row.load.rfind("LDS", 0) == 0 ? shared_load(row) : global_load(row);
}

class h200_memory : public testing::TestWithParam<memory_row> {};

TEST_P(h200_memory, takes_the_cycles_of_the_gpu) {
  const memory_row& row = GetParam();
  const lines loop = loop_of(row);
  std::ostringstream text;
  text << "tcsim-trace 1\narch sm_90\nkernel chain\ngrid 1 1 1\nblock 32 1 1\nshared 8192\nmemory 0x10000 128 zero\ncta 0 0 0\nwarp 0\n";
  unsigned pc = 0;
  const auto add = [&](const std::string& line) { text << fmt::format("/*{:04x}*/ {}\n", 16 * pc++, line); };
  for (const std::string& line : loop) add(line);  // the recording is the fastest repetition: caches are warm
  add("[B0-----:R-:W-:-:S15] NOP");
  add("[B------:R-:W-:-:S02] CS2R R20, SR_CLOCKLO");
  for (unsigned i = 0; i < row.loads; ++i)
    for (const std::string& line : loop) add(line);
  add("[B------:R-:W-:-:S02] CS2R R22, SR_CLOCKLO");
  add("[B0-----:R-:W-:-:S01] EXIT");
  std::istringstream stream(text.str());
  const auto trace = trace::trace::read(stream, "chain");
  auto options = silicon::preset_options();
  options.data = false;
  const auto result = silicon::run(trace, silicon::machine_of("hopper"), options);
  ASSERT_EQ(result.status, device::run_status::finished);
  ASSERT_EQ(result.clock_reads.size(), 2U);
  const auto cycles = static_cast<double>(result.clock_reads[1].cycle - result.clock_reads[0].cycle);
  RecordProperty("model_cycles", static_cast<int>(cycles));
  EXPECT_NEAR(cycles, row.cycles, 0.02 * row.cycles);
}

INSTANTIATE_TEST_SUITE_P(recorded, h200_memory, testing::ValuesIn(rows()));

}  // namespace
