// SPDX-License-Identifier: Apache-2.0
// Kernels that run: an input is the machine and, behind the header of a trace, the lines of the CTAs. What can be read must end, with a
// result or a fault, and leave the machine ready for the next; and a run for timing alone takes the same cycles.
#include <array>
#include <memory>
#include <sstream>
#include <string>

#include <systemc>

#include <tc/config/presets.hpp>
#include <tc/device/gpu.hpp>
#include <tc/device/run_error.hpp>
#include <tc/kernels/wmma_expander.hpp>
#include <tc/trace/trace_error.hpp>

#include "support.hpp"

namespace tcsim::fuzz {
namespace {

using tc::accounting::ended_kernel;
using tc::accounting::kernel_outcome;

tc::config::machine small_machine(const std::string& preset) {
  tc::config::machine machine = tc::config::make_preset(preset);
  machine.sms = 1;
  machine.global_memory.max_bytes = 1 << 20;
  return machine;
}

tc::device::run_options options_of(bool data) {
  tc::device::run_options options;
  options.data = data;
  options.monitors = data;  // transactions in one machine, and calls in the other
  options.timing_of_preset = true;
  return options;
}

/// A GPU that runs one kernel after the other.
class runner {
 public:
  runner(const std::string& name, const std::string& preset, bool data) : gpu_(name.c_str(), small_machine(preset), options_of(data)) {
    gpu_.on_kernel_end([this](const ended_kernel& kernel) { ended_ = kernel; });
  }

  /// False if the machine cannot run the trace.
  bool run(const std::shared_ptr<const tc::trace::trace>& trace) {
    try {
      gpu_.submit(trace, "input");
    } catch (const tc::device::run_error&) {
      return false;
    }
    run_until_idle(cycles_of_a_kernel);
    if (!gpu_.idle()) gpu_.abandon();
    run_until_idle(cycles_of_an_end);
    require(gpu_.idle(), "a kernel ends");
    return true;
  }

  const ended_kernel& ended() const { return ended_; }
  void reset() { gpu_.reset(); }

 private:
  static constexpr unsigned cycles_of_a_kernel = 200'000, cycles_of_an_end = 100'000, slice = 5'000;

  void run_until_idle(unsigned cycles) {
    for (unsigned passed = 0; passed < cycles && !gpu_.idle(); passed += slice) sc_core::sc_start(slice * gpu_.clock().period());
  }

  tc::device::gpu gpu_;
  ended_kernel ended_;
};

/// A machine with values and one without.
struct machine {
  explicit machine(const std::string& preset, const char* of_arch)
      : arch(of_arch), with_data(preset + "_data", preset, true), without_data(preset + "_timing", preset, false) {}

  std::string header() const {
    return "tcsim-trace 1\narch " + arch +
           "\nkernel input\ngrid 1 1 1\nblock 128 1 1\nregisters 64\nshared 32768\nmemory 0x10000 65536 fill 7\n";
  }

  std::string arch;
  runner with_data, without_data;
};

struct machines {
  machines() {
    using sc_core::sc_report_handler;
    sc_report_handler::set_actions(sc_core::SC_WARNING, sc_core::SC_DO_NOTHING);
    sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
  std::array<machine, 4> all{machine("volta", "sm_70"), machine("turing", "sm_75"), machine("hopper", "sm_90"),
                             machine("blackwell", "sm_100")};
};

std::shared_ptr<const tc::trace::trace> read(const std::string& text) {
  std::istringstream in(text);
  tc::trace::open_options options;
  options.image_folder = "/nonexistent";
  options.limits.instructions = 4000;  // that end within the cycles of a kernel, or wait for ever
  try {
    return std::make_shared<const tc::trace::trace>(tc::kernels::read_trace(in, "input", options));
  } catch (const tc::trace::trace_error&) {
    return nullptr;
  }
}

void run(machine& on, std::string_view body) {
  const auto trace = read(on.header() + std::string(body));
  if (trace == nullptr) return;
  const bool ran = trace->header().has_data && on.with_data.run(trace), ran_for_timing = on.without_data.run(trace);
  if (ran) {
    require(ran_for_timing, "what runs with data runs without");
    const ended_kernel &with = on.with_data.ended(), &without = on.without_data.ended();
    if (with.outcome == kernel_outcome::finished) {
      require(without.outcome == kernel_outcome::finished, "what ends with data ends without");
      require(with.result.cycles == without.result.cycles, "a run for timing takes the cycles of a run with data");
      require(with.result.instructions == without.result.instructions, "a run for timing issues the instructions of a run with data");
    }
  }
  on.with_data.reset();
  on.without_data.reset();
}

}  // namespace
}  // namespace tcsim::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tcsim::fuzz;
  static const auto here = std::make_unique<machines>();
  if (size == 0) return 0;
  run(here->all.at(*data % here->all.size()), text_of(data + 1, size - 1));
  return 0;
}
