// SPDX-License-Identifier: Apache-2.0
#include "volta_wmma.hpp"

#include <algorithm>

#include "recorded_run.hpp"

namespace tc::silicon {

namespace {

const std::string hmma = "HMMA.884";

bool is_hmma(const std::string& line) { return line.find(hmma) != std::string::npos; }

/// "R8" of an HMMA's line.
std::string destination_of(const std::string& line) {
  const auto begin = line.find(" R", line.find(hmma)) + 1;
  return line.substr(begin, line.find(',') - begin);
}

}  // namespace

listing volta_wmma_code(const std::string& sums) {
  const listing code = listing_of("sm_70.wmma_f16_" + sums + "_m16n16k16");
  const auto first = std::find_if(code.begin(), code.end(), [](const auto& line) { return line.find("CLOCKLO") != std::string::npos; });
  const auto last = std::find_if(code.rbegin(), code.rend(), is_hmma);
  return {first, last.base()};
}

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

std::vector<fabric::cycle_t> cycles_after_each_hmma(const listing& code, bool with_control_codes) {
  std::vector<listing> kernels = probed(code);
  if (!with_control_codes) std::transform(kernels.begin(), kernels.end(), kernels.begin(), without_control);
  return clock_differences(run_listings("sm_70", kernels, machine_of("volta")));
}

fabric::cycle_t volta_chain_cycles(unsigned warps) {
  const listing once = without_control(volta_wmma_code("f32"));
  listing chain(once.begin(), std::find_if(once.begin(), once.end(), is_hmma));
  const listing sets(once.begin() + static_cast<std::ptrdiff_t>(chain.size()), once.end());
  for (unsigned i = 0; i < 8; ++i) chain.insert(chain.end(), sets.begin(), sets.end());
  chain.push_back("CS2R R6, SR_CLOCKLO");
  return clock_differences(run_listings("sm_70", {chain}, machine_of("volta"), warps)).at(0);
}

}  // namespace tc::silicon
