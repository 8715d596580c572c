// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <exception>
#include <filesystem>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>

#include <systemc>

#include <tc/config/presets.hpp>
#include <tc/device/gpu.hpp>
#include <tc/trace/trace.hpp>

#include "rtl_dot_product_units.hpp"
#include "rtl_variants.hpp"

// Runs a trace on a machine of one SM with RTL in its tensor cores, and says what comes out and how long it took.

namespace {

/// The dot-product units of the first tensor core are kept in `first`.
tc::links::dot_product_maker keeping_first(const tc::links::dot_product_maker& make, rtl::rtl_dot_product_units*& first) {
  return [make, &first](const char* name, const tc::links::dot_product_site& site) {
    tc::links::made_dot_products made = make(name, site);
    if (first == nullptr) first = dynamic_cast<rtl::rtl_dot_product_units*>(made.module.get());
    return made;
  };
}

/// True if the kernel has ended with what its trace expects.
bool run(const std::string& configuration, const std::string& file, const std::string& waves_file) {
#ifdef RTL_WAVES
  Verilated::traceEverOn(true);  // before there is any RTL
#else
  if (!waves_file.empty()) throw std::runtime_error(waves_file + ": waves need a build with -DRTL_WAVES=ON");
#endif
  const tc::config::machine machine = tc::config::load_configuration(configuration, {"sms=1", "units.dot_products=rtl"});
  const tc::trace::trace trace = tc::trace::trace::open(file);
  rtl::rtl_dot_product_units* first = nullptr;
  tc::device::run_options options;
  options.timing_of_preset = true;
  const unsigned length = machine.sm.sub_core.tensor_core.arithmetic.f16.group_length;
  options.units.dot_products["rtl"] = keeping_first(rtl::rtl_dot_product_maker(rtl::threadgroup_of(length)), first);
  tc::device::gpu gpu("gpu", machine, {{file, &trace}}, options);

#ifdef RTL_WAVES
  VerilatedVcdSc waves;
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  if (!waves_file.empty() && first != nullptr) {
    first->threadgroup(0).trace(waves);
    waves.open(waves_file.c_str());
  }
#endif
  const auto begin = std::chrono::steady_clock::now();
  const tc::accounting::run_result result = gpu.run();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
#ifdef RTL_WAVES
  waves.close();
#endif
  const bool finished = result.status == tc::accounting::run_status::finished;
  const bool is_exact = finished && result.mismatches() == 0 && !result.kernels.at(0).expectations.empty();
  std::cout << result.cycles << " cycles, " << result.instructions << " instructions, ";
  if (is_exact)
    std::cout << "exact, ";
  else
    std::cout << (finished ? "" : "did not finish, ") << result.mismatches() << " wrong bytes, ";
  std::cout << seconds << " s\n";
  return is_exact;
}

}  // namespace

int sc_main(int argc, char** argv) {
  if (argc < 3) {
    std::cerr << "usage: " << argv[0] << " CONFIGURATION TRACE [WAVES.vcd]\n";
    return 2;
  }
  try {
    return run(argv[1], argv[2], argc > 3 ? argv[3] : "") ? 0 : 1;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 2;
  }
}
