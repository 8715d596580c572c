// SPDX-License-Identifier: Apache-2.0
#include "pointer_chase.hpp"

#include <stdexcept>

#include <fmt/format.h>

namespace tc::silicon {

pointer_chase::pointer_chase(const std::string& load, const std::vector<std::uint64_t>& addresses) {
  lines_.reserve(addresses.size());
  for (const std::uint64_t address : addresses) lines_.push_back(fmt::format("[B0-----:R-:W0:-:S02] {} @ {:#x}", load, address));
}

std::vector<fabric::cycle_t> pointer_chase::run(const std::string& arch, const config::machine& machine) {
  trace_ = make_trace(arch, {lines_});
  auto options = preset_options();
  options.binder = &log_;
  options.data = false;
  gpu_ = std::make_unique<device::gpu>("gpu", machine, std::vector<device::kernel_source>{{"chase", &*trace_}}, options);
  if (gpu_->run().status != accounting::run_status::finished) throw std::runtime_error("the chase does not finish");
  return intervals(log_.cycles(0, "L"));
}

}  // namespace tc::silicon
