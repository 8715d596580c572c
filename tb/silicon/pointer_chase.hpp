// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <tc/device/gpu.hpp>

#include "issue_log.hpp"
#include "recorded_run.hpp"

namespace tc::silicon {

/// A chain of loads, each of which takes its address from the one before; what separates them is a dependence counter.
class pointer_chase {
 public:
  /// A load such as "LDG.E.64.SYS R2, [R2]" and the addresses in order.
  pointer_chase(const std::string& load, const std::vector<std::uint64_t>& addresses);

  /// Cycles from each load to the next, on a machine. Throws std::runtime_error if the loads do not finish.
  std::vector<fabric::cycle_t> run(const std::string& arch, const config::machine& machine);

 private:
  std::vector<std::string> lines_;
  std::optional<trace::trace> trace_;
  issue_log log_;
  std::unique_ptr<device::gpu> gpu_;  // stays, so that its statistics can be asked for
};

}  // namespace tc::silicon
