// SPDX-License-Identifier: Apache-2.0
#include "shared_tensor_core.hpp"

#include <ostream>
#include <sstream>
#include <string>

#include <fmt/format.h>

#include "recorded_run.hpp"
#include "stream_recording.hpp"

namespace tc::silicon {

namespace {

std::string multiply_of_warpgroup(unsigned columns) {
  std::string accumulators;
  for (unsigned i = 0; i < columns / 2; ++i) accumulators += fmt::format("{}R{}", i == 0 ? "" : ", ", 24 + i);
  return fmt::format("wgmma.mma_async.sync.aligned.m64n{}k16.f32.f16.f16 {{{}}}, 0x0000001000080040, 0x00000010000800c0, 1, 1, 1, 0, 0\n",
                     columns, accumulators);
}

/// Warps 0 to 3 multiply together, warps 4 to 7 each by itself.
std::string mixed_kernel(unsigned columns, unsigned of_warpgroup, unsigned of_warps) {
  std::ostringstream text;
  text << "tcsim-trace 1\narch sm_90\nkernel mixed\ngrid 1 1 1\nblock 256 1 1\nshared 32768\nregisters 168\ndata none\ncta 0 0 0\n";
  for (unsigned warp = 0; warp < 4; ++warp) {
    text << "warp " << warp << "\nwgmma.fence.sync.aligned\n";
    for (unsigned i = 0; i < of_warpgroup; ++i) {
      text << multiply_of_warpgroup(columns);
      if (i % 16 == 15) text << "wgmma.commit_group.sync.aligned\nwgmma.wait_group.sync.aligned 1\n";
    }
    text << "wgmma.wait_group.sync.aligned 0\n/*f000*/ EXIT\n";
  }
  for (unsigned warp = 4; warp < 8; ++warp) {
    text << "warp " << warp << '\n';
    for (unsigned i = 0; i < of_warps; ++i)
      text << fmt::format("/*{:04x}*/ HMMA.16816.F32 R{}, R0, R8, R{}\n", 16 * i, 32 + i % 8 * 4, 32 + i % 8 * 4);
    text << "/*f000*/ EXIT\n";
  }
  return text.str();
}

struct end_times {
  double warpgroup = 0, all = 0;
};

end_times ends_of(unsigned columns, unsigned of_warpgroup, unsigned of_warps) {
  const std::vector<long> cycles = in_child([=] {
    std::istringstream stream(mixed_kernel(columns, of_warpgroup, of_warps));
    const auto trace = trace::trace::read(stream, "mixed");
    auto options = preset_options();
    options.data = false;
    const accounting::run_result result = run(trace, machine_of("hopper"), options);
    return std::vector<long>{static_cast<long>(result.warps.at(0).last_issue), static_cast<long>(result.cycles)};
  });
  return {static_cast<double>(cycles.at(0)), static_cast<double>(cycles.at(1))};
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const shared_tensor_core& row) { return out << "m64n" << row.columns << "k16"; }

std::vector<shared_tensor_core> recorded_shared_tensor_cores() {
  return {{8, 18.4, 19.7, 582.6}, {64, 32.8, 35.8, 651.4}, {128, 64.6, 69.9, 695.3}, {256, 130.3, 139.0, 823.0}};
}

shared_tensor_core modelled_shared_tensor_core(unsigned columns) {
  constexpr unsigned short_stream = 256, long_stream = 1024, of_warps = 2000;
  constexpr double more = long_stream - short_stream;
  const end_times all_warps = ends_of(columns, 16, of_warps), half_of_them = ends_of(columns, 16, of_warps / 2);
  const double rate = (all_warps.all - half_of_them.all) / (of_warps / 2.0);
  const end_times begin = ends_of(columns, short_stream, of_warps), end = ends_of(columns, long_stream, of_warps);
  const auto ahead = [rate](const end_times& mixed) { return of_warps - (mixed.all - mixed.warpgroup) / rate; };  // beside the warpgroup
  const double lone = ends_of(columns, long_stream, 1).warpgroup - ends_of(columns, short_stream, 1).warpgroup,
               mixed = end.warpgroup - begin.warpgroup;
  return {columns, lone / more, mixed / more, mixed / (ahead(end) - ahead(begin))};
}

}  // namespace tc::silicon
