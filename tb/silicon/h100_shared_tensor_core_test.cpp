// SPDX-License-Identifier: Apache-2.0
// Warps that multiply by themselves beside a warpgroup that does so without a gap, recorded on an H100 (1 CTA; a warp on each sub-core; the
// warpgroup's instructions in groups of 16, which it waits for one behind).
#include <ostream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <tc/accounting/run_result.hpp>

#include "device/test_machine.hpp"
#include "stream_recording.hpp"

namespace h100_shared_tensor_core_test {

namespace {

using namespace tc;
using namespace tc::device::test;

struct recorded {
  unsigned columns;      ///< N of the warpgroup's instructions, m64nNk16
  double alone;          ///< cycles from one of them to the next
  double beside_warps;   ///< the same while warps multiply
  double between_warps;  ///< cycles from one HMMA of a sub-core to the next in that time

  friend std::ostream& operator<<(std::ostream& out, const recorded& row) { return out << "m64n" << row.columns << "k16"; }
};

std::string wgmma(unsigned columns) {
  std::string accumulators;
  for (unsigned i = 0; i < columns / 2; ++i) accumulators += fmt::format("{}R{}", i == 0 ? "" : ", ", 24 + i);
  return fmt::format("wgmma.mma_async.sync.aligned.m64n{}k16.f32.f16.f16 {{{}}}, 0x0000001000080040, 0x00000010000800c0, 1, 1, 1, 0, 0\n",
                     columns, accumulators);
}

/// Warps 0 to 3 multiply together, warps 4 to 7 each by itself.
std::string mixed_kernel(unsigned columns, unsigned of_warpgroup, unsigned of_warps) {
  std::string text = kernel_header(1, 8, "shared 32768\nregisters 168\ndata none\n", "sm_90") + cta_line(0);
  for (unsigned warp = 0; warp < 4; ++warp) {
    text += warp_line(warp) + "wgmma.fence.sync.aligned\n";
    for (unsigned i = 0; i < of_warpgroup; ++i) {
      text += wgmma(columns);
      if (i % 16 == 15) text += "wgmma.commit_group.sync.aligned\nwgmma.wait_group.sync.aligned 1\n";
    }
    text += "wgmma.wait_group.sync.aligned 0\n/*f000*/ EXIT\n";
  }
  for (unsigned warp = 4; warp < 8; ++warp) {
    text += warp_line(warp);
    for (unsigned i = 0; i < of_warps; ++i)
      text += fmt::format("/*{:04x}*/ HMMA.16816.F32 R{}, R0, R8, R{}\n", 16 * i, 32 + i % 8 * 4, 32 + i % 8 * 4);
    text += "/*f000*/ EXIT\n";
  }
  return text;
}

struct times {
  double warpgroup = 0;  ///< cycles of the warpgroup
  double all = 0;
};

/// Of one elaboration, which a process has once.
std::vector<long> cycles_of(unsigned columns, unsigned of_warpgroup, unsigned of_warps) {
  device::run_options options;
  options.data = false;
  test_machine machine(preset("hopper"), {mixed_kernel(columns, of_warpgroup, of_warps)}, options);
  const accounting::run_result result = machine.run();
  return {static_cast<long>(result.warps.at(0).last_issue), static_cast<long>(result.cycles)};
}

times run(unsigned columns, unsigned of_warpgroup, unsigned of_warps) {
  const std::vector<long> cycles = silicon::in_child([=] { return cycles_of(columns, of_warpgroup, of_warps); });
  return {static_cast<double>(cycles.at(0)), static_cast<double>(cycles.at(1))};
}

class h100_shared_tensor_core : public testing::TestWithParam<recorded> {};

TEST_P(h100_shared_tensor_core, lets_a_warp_that_waited_long_go_before_a_warpgroup) {
  constexpr unsigned short_stream = 256, long_stream = 1024, of_warps = 2000, more = long_stream - short_stream;
  const auto [columns, alone, beside_warps, between_warps] = GetParam();
  const times all_warps = run(columns, 16, of_warps), half_of_them = run(columns, 16, of_warps / 2);
  const double rate = (all_warps.all - half_of_them.all) / (of_warps / 2.0);
  const times begin = run(columns, short_stream, of_warps), end = run(columns, long_stream, of_warps);
  const auto ahead = [rate](const times& mixed) { return of_warps - (mixed.all - mixed.warpgroup) / rate; };  // HMMAs beside the warpgroup
  const double lone = run(columns, long_stream, 1).warpgroup - run(columns, short_stream, 1).warpgroup,
               mixed = end.warpgroup - begin.warpgroup;
  EXPECT_NEAR(lone / more, alone, 0.03 * alone);
  EXPECT_NEAR(mixed / more, beside_warps, 0.05 * beside_warps);
  EXPECT_NEAR(mixed / (ahead(end) - ahead(begin)), between_warps, 0.2 * between_warps);
}

INSTANTIATE_TEST_SUITE_P(recorded, h100_shared_tensor_core,
                         testing::Values(recorded{8, 18.4, 19.7, 582.6}, recorded{64, 32.8, 35.8, 651.4}, recorded{128, 64.6, 69.9, 695.3},
                                         recorded{256, 130.3, 139.0, 823.0}));

}  // namespace
}  // namespace h100_shared_tensor_core_test
