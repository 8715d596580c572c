// SPDX-License-Identifier: Apache-2.0
#include "mma_lop3.hpp"

#include <stdexcept>

#include "recorded_run.hpp"
#include "stream_recording.hpp"

namespace tc::silicon {

namespace {

std::filesystem::path data_folder() { return std::filesystem::path(TC_SOURCE_DIR) / "tb/silicon/data"; }

}  // namespace

std::vector<mma_lop3_loop> mma_lop3_loops() {
  std::vector<mma_lop3_loop> result;
  for (const auto& fields : csv_rows(data_folder() / "h200_mma_lop3.csv"))
    result.push_back({fields.at(0), fields.at(1), static_cast<unsigned>(std::stoul(fields.at(2))), std::stol(fields.at(3))});
  return result;
}

long cycles_of(const mma_lop3_loop& loop) {
  auto options = preset_options();
  options.data = false;
  const auto trace = trace::trace::open(data_folder() / "h200_mma_lop3" / (loop.name() + ".trace.xz"));
  const auto result = run(trace, machine_of("hopper"), options);
  if (result.status != accounting::run_status::finished) throw std::runtime_error(loop.name() + " does not finish");
  return stream_cycles(result);
}

}  // namespace tc::silicon
