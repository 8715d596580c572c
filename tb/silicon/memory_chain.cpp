// SPDX-License-Identifier: Apache-2.0
#include "memory_chain.hpp"

#include <fstream>
#include <sstream>
#include <stdexcept>

#include <fmt/format.h>

#include "listing.hpp"
#include "recorded_run.hpp"

namespace tc::silicon {

namespace {

/// The row of a line such as "LDSM.x2 dependent, row words,16,64,3048,47.62".
memory_chain parse(const std::string& line) {
  memory_chain row;
  std::istringstream fields(line);
  std::getline(fields, row.load, ',');
  std::getline(fields, row.detail, ',');
  row.detail.erase(0, row.detail.find_first_not_of(' '));
  char comma = 0;
  fields >> row.words >> comma >> row.loads >> comma >> row.cycles;
  return row;
}

listing shared_load(const memory_chain& chain) { return {fmt::format("[B0-----:R-:W0:-:S02] LDS R2, [R2] @ 0x400+{}", 4 * chain.words)}; }

/// Matrices hold no addresses, so the recorded loop adds the exclusive or of what it loads, zeros, to the address. The recording does not
/// hold its instructions: these are what nvcc makes of such loops for sm_90.
listing matrix_load(const memory_chain& chain) {
  const std::string addresses = fmt::format("@ 0x400+{}", 4 * chain.words);
  const std::string add = "[B------:R-:W-:Y:S05] IMAD.IADD R2, R8, 0x1, R2";
  if (chain.load.find("x1") != std::string::npos)
    return {"[B------:R-:W0:-:S02] LDSM.16.M88 R8, [R2] " + addresses, "[B0-----:R-:W-:Y:S05] LOP3.LUT R2, R8, R2, RZ, 0x3c, !PT"};
  if (chain.load.find("x2") != std::string::npos)
    return {"[B------:R-:W0:-:S02] LDSM.16.M88.2 R8, [R2] " + addresses, "[B0-----:R-:W-:Y:S05] LOP3.LUT R8, R8, R9, RZ, 0x3c, !PT", add};
  return {"[B------:R-:W0:-:S02] LDSM.16.M88.4 R8, [R2] " + addresses, "[B0-----:R-:W-:Y:S04] LOP3.LUT R8, R10, R8, R9, 0x96, !PT",
          "[B------:R-:W-:Y:S05] LOP3.LUT R8, R8, R11, RZ, 0x3c, !PT", add};
}

/// The loop adds what it loads to a 64-bit address.
listing global_load(const memory_chain& chain) {
  const std::string scope = chain.detail.find("L2") != std::string::npos ? ".STRONG.GPU" : "";
  return {"[B------:R-:W0:-:S02] LDG.E" + scope + " R4, [R2.64] @ 0x10000", "[B0-----:R-:W-:-:S04] IADD3 R2, P0, R2, R4, RZ",
          "[B------:R-:W-:-:S05] IADD3.X R3, RZ, R3, RZ, P0, !PT"};
}

listing loop_of(const memory_chain& chain) {
  if (chain.load.rfind("LDSM", 0) == 0) return matrix_load(chain);
  return chain.load.rfind("LDS", 0) == 0 ? shared_load(chain) : global_load(chain);
}

std::string trace_text(const memory_chain& chain) {
  const listing loop = loop_of(chain);
  std::ostringstream text;
  text << "tcsim-trace 1\narch sm_90\nkernel chain\ngrid 1 1 1\nblock 32 1 1\nshared 8192\nmemory 0x10000 128 zero\ncta 0 0 0\nwarp 0\n";
  unsigned pc = 0;
  const auto add = [&](const std::string& line) { text << fmt::format("/*{:04x}*/ {}\n", 16 * pc++, line); };
  for (const std::string& line : loop) add(line);  // the recording is the fastest repetition: caches are warm
  add("[B0-----:R-:W-:-:S15] NOP");
  add("[B------:R-:W-:-:S02] CS2R R20, SR_CLOCKLO");
  for (unsigned i = 0; i < chain.loads; ++i)
    for (const std::string& line : loop) add(line);
  add("[B------:R-:W-:-:S02] CS2R R22, SR_CLOCKLO");
  add("[B0-----:R-:W-:-:S01] EXIT");
  return text.str();
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const memory_chain& chain) {
  return out << chain.load << ", " << chain.detail << ' ' << chain.words;
}

std::vector<memory_chain> memory_chains(const std::filesystem::path& folder) {
  std::ifstream file(folder / "h200_memory.csv");
  std::vector<memory_chain> result;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) result.push_back(parse(line));
  return result;
}

fabric::cycle_t cycles_of(const memory_chain& chain) {
  std::istringstream stream(trace_text(chain));
  const auto trace = trace::trace::read(stream, "chain");
  auto options = preset_options();
  options.data = false;
  const auto result = run(trace, machine_of("hopper"), options);
  if (result.status != accounting::run_status::finished) throw std::runtime_error("the chain does not finish");
  return clock_differences(result).at(0);
}

}  // namespace tc::silicon
