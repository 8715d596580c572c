// SPDX-License-Identifier: Apache-2.0
// A program of its own around tcsim: a module that watches a GPU, with simulation run by SystemC itself. Usage: consumer TRACE
// [CONFIGURATION]
#define SC_INCLUDE_DYNAMIC_PROCESSES  // sc_spawn

#include <exception>
#include <iostream>

#include <systemc>

#include <tc/config/presets.hpp>
#include <tc/device/gpu.hpp>
#include <tc/accounting/run_summary.hpp>
#include <tc/trace/trace.hpp>
#include <tc/version.hpp>

namespace {

/// Tells when the GPU has finished, as any other module of a platform might.
class watcher final : public sc_core::sc_module {
 public:
  watcher(const sc_core::sc_module_name& name, const tc::device::gpu& gpu) : sc_module(name) {
    sc_core::sc_spawn_options options;
    options.spawn_method();
    options.dont_initialize();
    options.set_sensitivity(&gpu.finished_event());
    sc_core::sc_spawn([this] { finished_ = sc_core::sc_time_stamp(); }, "on_finish", &options);
  }

  const sc_core::sc_time& finished() const { return finished_; }

 private:
  sc_core::sc_time finished_;
};

int run(const char* file, const char* configuration) {
  const tc::config::machine machine = tc::config::load_configuration(configuration);
  const tc::trace::trace trace = tc::trace::trace::open(file);
  tc::device::run_options options;
  options.timing_of_preset = tc::config::has_preset_timing(machine);
  tc::device::gpu gpu("gpu", machine, {{file, &trace}}, options);
  const watcher watcher("watcher", gpu);

  sc_core::sc_start();

  const tc::accounting::run_result result = gpu.result();
  const tc::accounting::kernel_result& kernel = result.kernels.front();
  const bool is_right = kernel.finished && result.mismatches() == 0 && watcher.finished() > sc_core::SC_ZERO_TIME;
  std::cout << "tcsim " << tc::version << ", " << machine.name << ": " << kernel.kernel << ", " << result.cycles << " cycles, "
            << tc::accounting::time_us(result.cycles, machine) << " us, " << result.instructions << " instructions, "
            << (is_right ? "exact" : "WRONG") << '\n';
  return is_right ? 0 : 1;
}

}  // namespace

int sc_main(int argc, char** argv) {
  try {
    if (argc >= 2) return run(argv[1], argc > 2 ? argv[2] : "turing");
    std::cerr << "usage: consumer TRACE [CONFIGURATION]\n";
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
  }
  return 2;
}
