// SPDX-License-Identifier: Apache-2.0
#include "access_stream.hpp"

#include <sstream>

#include <fmt/format.h>

#include "listing.hpp"
#include "recorded_run.hpp"

namespace tc::silicon {

namespace {

const std::vector<unsigned> one{0}, two{0, 1}, two_of_a_sub_core{0, 4}, four{0, 1, 2, 3}, four_of_a_sub_core{0, 4, 8, 12},
    eight{0, 1, 2, 3, 4, 5, 6, 7};

constexpr const char *lds = "LDS R4, [R2]", *lds_64 = "LDS.64 R4, [R2]", *lds_128 = "LDS.128 R4, [R2]", *ldsm = "LDSM.16.M88.4 R4, [R2]",
                     *sts = "STS [R2], R4", *sts_128 = "STS.128 [R2], R4", *ldg = "LDG.E R4, [R2.64]";

/// `accesses` of a warp between two clock reads. Before the first a load warms the caches; the second waits for the data of a last one.
listing warp_of(const access_stream& stream, unsigned accesses) {
  const bool is_global = stream.access.find("LDG") == 0;
  const std::string load =
      is_global ? "[B------:R-:W0:-:S02] LDG.E R16, [R2.64] @ 0x10000+4" : "[B------:R-:W0:-:S02] LDS R16, [R2] @ 0x400+4";
  listing code{load, "[B0-----:R-:W-:-:S02] CS2R R20, SR_CLOCKLO"};
  code.insert(code.end(), accesses, fmt::format("[B------:R-:W-:-:S01] {} @ {}", stream.access, stream.addresses));
  code.insert(code.end(), {load, "[B0-----:R-:W-:-:S02] CS2R R22, SR_CLOCKLO"});
  return code;
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const access_stream& stream) {
  out << stream.access << " @ " << stream.addresses << " of warps";
  for (const unsigned warp : stream.warps) out << ' ' << warp;
  return out;
}

std::vector<access_stream> measured_access_streams() {
  return {{lds, "0x400+4", one, 2.00},
          {lds, "0x400+4", four, 1.00},
          {lds, "0x400+4", four_of_a_sub_core, 1.99},
          {lds, "0x400+4", eight, 1.00},
          {lds, "0x400+8", one, 4.00},
          {lds, "0x400+8", two_of_a_sub_core, 2.00},
          {lds, "0x400+32", one, 16.00},
          {lds, "0x400+32", two, 8.00},
          {lds, "0x400+32", two_of_a_sub_core, 8.02},
          {lds, "0x400+32", eight, 8.02},
          {lds_64, "0x400+8", one, 4.00},
          {lds_64, "0x400+8", four, 2.00},
          {lds_128, "0x400+16", one, 8.00},
          {lds_128, "0x400+16", four, 4.00},
          {lds_128, "0x400+16", two_of_a_sub_core, 4.00},
          {ldsm, "0x400+16", four_of_a_sub_core, 4.02},
          {sts, "0x400+16", four, 4.00},
          {sts_128, "0x400+16", eight, 4.00},
          {ldg, "0x10000+4", one, 4.00},
          {ldg, "0x10000+4", two_of_a_sub_core, 4.12},
          {ldg, "0x10000+4", four, 1.00}};
}

double cycles_of(const access_stream& stream) {
  constexpr unsigned few = 32, many = 96;
  std::string text = "tcsim-trace 1\narch sm_90\nkernel accesses\ngrid 2 1 1\nblock 512 1 1\nshared 16384\nmemory 0x10000 16384 zero\n";
  for (const unsigned accesses : {few, many}) {
    text += fmt::format("cta {} 0 0\n", accesses == few ? 0 : 1);
    for (const unsigned warp : stream.warps) {
      text += fmt::format("warp {}\n", warp);
      unsigned pc = 0;
      for (const std::string& line : warp_of(stream, accesses)) text += fmt::format("/*{:04x}*/ {}\n", 16 * pc++, line);
      text += fmt::format("/*{:04x}*/ EXIT\n", 16 * pc);
    }
  }
  std::istringstream in(text);
  auto options = preset_options();
  options.data = false;
  const auto result = run(trace::trace::read(in, "accesses"), machine_of("hopper"), options);
  const auto cycles = clock_differences(result);
  return static_cast<double>(cycles.at(1) - cycles.at(0)) / (many - few) / static_cast<double>(stream.warps.size());
}

}  // namespace tc::silicon
