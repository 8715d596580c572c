// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <message_types.hpp>
#include <sstream>
#include <string>
#include <vector>

#include <tc/device/gpu.hpp>

#include "test_machine.hpp"

namespace tc::device::test {

inline std::shared_ptr<const trace::trace> shared_trace(const std::string& text) {
  std::istringstream in(text);
  return std::make_shared<const trace::trace>(trace::trace::read(in, "submitted"));
}

/// A GPU that takes kernels while simulation runs, and what it has told. One for each process.
class submitting_machine {
 public:
  explicit submitting_machine(const config::machine& machine, const run_options& options = {}) : device("gpu", machine, options) {
    device.on_kernel_end([this](const accounting::ended_kernel& kernel) {
      ended.push_back(kernel);
      if (kernel.outcome == accounting::kernel_outcome::fault) note_message_type(kernel.fault_type.c_str());
      if (then) then(kernel);
    });
    device.on_idle([this] { ++idle; });
  }

  std::uint32_t submit(const std::string& text, const std::string& name = "submitted") { return device.submit(shared_trace(text), name); }
  /// Runs SystemC until nothing happens any more; returns the last kernel that has ended.
  const accounting::ended_kernel& run() {
    sc_core::sc_start();
    return ended.back();
  }
  void run_for(double cycles) { sc_core::sc_start(cycles * device.clock().period(), sc_core::SC_RUN_TO_TIME); }

  gpu device;
  std::vector<accounting::ended_kernel> ended{};
  std::function<void(const accounting::ended_kernel&)> then{};  ///< what is done when a kernel ends
  unsigned idle = 0;                                            ///< times that it was told to be
};

}  // namespace tc::device::test
