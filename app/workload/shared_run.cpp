// SPDX-License-Identifier: Apache-2.0
#include "shared_run.hpp"

#include <algorithm>
#include <list>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <tc/parallel/shared_run.hpp>

#include "exit_status.hpp"
#include "share_process.hpp"
#include "simulation.hpp"

namespace tcsim {

namespace parallel = tc::parallel;
namespace accounting = tc::accounting;
namespace device = tc::device;

accounting::run_result run_in_processes(device::gpu& gpu, unsigned processes) {
  const unsigned shares = std::min(processes, gpu.sms());
  if (processes <= 1) return run_to_end(gpu);
  const std::string coupling = tc::parallel::coupling(gpu);
  if (!coupling.empty()) throw usage_error(fmt::format("--jobs {}: {}", processes, coupling));
  const auto share = [&](std::size_t number) { return device::sm_share{number * gpu.sms() / shares, (number + 1) * gpu.sms() / shares}; };
  std::list<share_process> started;
  for (std::size_t number = 1; number < shares; ++number) started.emplace_back(gpu, share(number));
  parallel::share_result own = share_to_end(gpu, share(0));
  std::vector<parallel::share_result> others;
  for (share_process& process : started) others.push_back(process.result());
  return tc::parallel::join(gpu, std::move(own), others);
}

}  // namespace tcsim
