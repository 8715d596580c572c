// SPDX-License-Identifier: Apache-2.0
#include "wmma_timing.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <tc/isa/register_mma.hpp>
#include <tc/isa/wmma_sets.hpp>

#include "listing.hpp"
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

namespace {

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

/// The sets up to one of them between two clock reads.
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

}  // namespace

std::vector<fabric::cycle_t> turing_set_cycles(const std::string& precision, const std::string& tile) {
  const auto sets =
      isa::wmma_sets(isa::parse_register_mma(wmma_name(precision, tile), isa::architecture::sm_75).mma, isa::architecture::sm_75);
  std::vector<listing> kernels;
  for (std::size_t last = 0; last < sets.size(); ++last) kernels.push_back(kernel_until(last, precision, sets));
  return clock_differences(run_listings("sm_75", kernels, machine_of("turing_geforce")));
}

}  // namespace tc::silicon
