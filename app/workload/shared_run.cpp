// SPDX-License-Identifier: Apache-2.0
#include "shared_run.hpp"

#include <algorithm>
#include <list>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <tc/device/gpu.hpp>
#include <tc/parallel/share_result.hpp>
#include <tc/parallel/shared_run.hpp>

#include "exit_status.hpp"
#include "process_copy.hpp"
#include "share_bytes.hpp"
#include "simulation.hpp"

namespace tcsim {

namespace accounting = tc::accounting;
namespace device = tc::device;
namespace parallel = tc::parallel;

accounting::run_result run_in_processes(device::gpu& gpu, unsigned processes, device::run_pauses* pauses) {
  const unsigned shares = std::min(processes, gpu.sms());
  if (processes <= 1) return run_to_end(gpu, pauses);
  const std::string coupling = tc::parallel::coupling(gpu);
  if (!coupling.empty()) throw usage_error(fmt::format("--jobs {}: {}", processes, coupling));
  const auto share = [&](std::size_t number) { return device::sm_share{number * gpu.sms() / shares, (number + 1) * gpu.sms() / shares}; };
  std::list<process_copy> started;
  for (std::size_t number = 1; number < shares; ++number)
    started.emplace_back("simulates some of the SMs", [&, number] { return bytes_of(share_to_end(gpu, share(number), pauses)); });
  parallel::share_result own = share_to_end(gpu, share(0), pauses);
  std::vector<parallel::share_result> others;
  for (process_copy& process : started) others.push_back(share_from(process.result()));
  return tc::parallel::join(gpu, std::move(own), others);
}

}  // namespace tcsim
