// SPDX-License-Identifier: Apache-2.0
// Sweep files: their form, and the plan of those with few points.
#include <tc/config/config_error.hpp>

#include "support.hpp"
#include "sweep_file.hpp"
#include "sweep_plan.hpp"

namespace tcsim::fuzz {
namespace {

/// Whether a plan takes a moment. Each point makes and checks a machine and a workload.
bool is_small(const sweep_file& file) {
  std::size_t points = file.workloads.size();
  for (const auto& together : file.dimensions) {
    points *= file.axes[together.front()].values.size();
    if (points > 20) return false;
  }
  return true;
}

}  // namespace
}  // namespace tcsim::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tcsim::fuzz;
  const std::string_view text = text_of(data, size);
  const memory_file file(text);
  try {
    if (is_small(tcsim::sweep_file(file.path()))) tcsim::sweep_plan_text(tcsim::read_sweep(file.path()));
  } catch (const tc::config::config_error& error) {
    const bool has_place = error.source() == file.path() && error.position().line != 0;
    if (has_place) require_inside(text, error.position().line, error.position().column, error.what());
  }
  return 0;
}
