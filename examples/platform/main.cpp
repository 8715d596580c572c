// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <cstdio>
#include <exception>
#include <string>

#include <systemc>

#include <tc/config/presets.hpp>
#include <tc/platform/device_reports.hpp>
#include <tc/platform/tensor_core_device.hpp>

#include "bus.hpp"
#include "cpu.hpp"
#include "hardware.h"
#include "memory.hpp"

namespace {

/// A CPU, a memory and a GPU on a bus.
struct platform {
  explicit platform(const tc::platform::tensor_core_device::params& params)
      : device("device", params),
        decoder("bus", 1 + params.memory.sockets, {{memory_base, memory_bytes}, {device_base, 0x1000}}, {5, sc_core::SC_NS}) {
    processor.port.bind(decoder.from[0]);
    for (unsigned i = 0; i < params.memory.sockets; ++i) device.memory().bus[i].bind(decoder.from[1 + i]);
    decoder.to[0].bind(ram.port);
    decoder.to[1].bind(device.control);
    device.interrupt(line);
    processor.interrupt(line);
  }

  int exit_code = -1;
  sc_core::sc_signal<bool> line{"line"};
  cpu processor{"cpu", [this] { exit_code = run_software(); }};
  memory ram{"memory", memory_bytes, {60, sc_core::SC_NS}};
  tc::platform::tensor_core_device device;
  bus decoder;
};

platform* the_platform = nullptr;  // that the software runs on
std::chrono::steady_clock::time_point last_report;

void access(tlm::tlm_command command, std::uint64_t address, void* data, unsigned bytes) {
  if (!the_platform->processor.access(command, address, data, bytes))
    std::printf("bus error at %#llx\n", static_cast<unsigned long long>(address));
}

}  // namespace

uint32_t read_register(uint32_t offset) {
  uint32_t value = 0;
  access(tlm::TLM_READ_COMMAND, device_base + offset, &value, sizeof value);
  return value;
}
void write_register(uint32_t offset, uint32_t value) { access(tlm::TLM_WRITE_COMMAND, device_base + offset, &value, sizeof value); }
void read_memory(uint64_t address, void* data, uint32_t bytes) { access(tlm::TLM_READ_COMMAND, address, data, bytes); }
void write_memory(uint64_t address, const void* data, uint32_t bytes) {
  access(tlm::TLM_WRITE_COMMAND, address, const_cast<void*>(data), bytes);
}
void wait_for_interrupt() { the_platform->processor.wait_for_interrupt(); }
void compute_for(uint32_t nanoseconds) { the_platform->processor.pass({static_cast<double>(nanoseconds), sc_core::SC_NS}); }
void report(const char* what, const char* how, uint64_t cycles) {
  const auto now = std::chrono::steady_clock::now();
  std::printf("%-32s %-6s %8llu cycles   until %12s   %6.0f ms of the host\n", what, how, static_cast<unsigned long long>(cycles),
              sc_core::sc_time_stamp().to_string().c_str(), std::chrono::duration<double, std::milli>(now - last_report).count());
  last_report = now;
}

/// platform_example CONFIGURATION [approximate|loose]
int sc_main(int argc, char** argv) {
  const std::string mode = argc > 2 ? argv[2] : "approximate";
  if (argc < 2 || (mode != "approximate" && mode != "loose"))
    return std::fputs("usage: platform_example CONFIGURATION [approximate|loose]\n", stderr), 2;
  try {
    using tc::platform::timing;
    tlm::tlm_global_quantum::instance().set({1, sc_core::SC_US});
    sc_core::sc_report_handler::set_actions(tc::platform::report::device_command, sc_core::SC_WARNING, sc_core::SC_DO_NOTHING);
    tc::platform::tensor_core_device::params params;
    params.machine = tc::config::load_configuration(argv[1], {"sms=4"});
    params.timing_of_preset = true;
    params.memory.mode = mode == "loose" ? timing::loose : timing::approximate;
    platform whole(params);
    the_platform = &whole;
    last_report = std::chrono::steady_clock::now();
    std::printf("%s, %s timing\n", params.machine.name.c_str(), params.memory.mode == timing::loose ? "loose" : "approximate");
    sc_core::sc_start();
    if (whole.exit_code != 0) std::printf("the software failed: %d\n", whole.exit_code);
    return whole.exit_code;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 3;
  }
}
