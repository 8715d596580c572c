// SPDX-License-Identifier: Apache-2.0
#define SC_INCLUDE_DYNAMIC_PROCESSES  // sc_spawn; must precede the first SystemC header
#include "tensor_core_device.hpp"

#include <cstring>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <tc/fabric/reports.hpp>
#include <tc/isa/architecture.hpp>
#include <tc/platform/device_reports.hpp>

namespace tc::platform {

sc_core::sc_time clock_period(double clock_mhz, std::string_view object_path) {
  constexpr double picoseconds = 1e12, coarsest = 0.01;
  const double exact = 1e6 / clock_mhz, resolution = sc_core::sc_get_time_resolution().to_seconds() * picoseconds;
  if (resolution > coarsest * exact)
    fabric::error(
        report::device_clock, object_path,
        fmt::format("a clock of {} MHz has a period of {:.3f} ps; the time resolution, {:.6g} ps, is coarser than 1 % of it: call "
                    "sc_core::sc_set_time_resolution(1, sc_core::{}) before anything else",
                    clock_mhz, exact, resolution, coarsest * exact < 1 ? "SC_FS" : "SC_PS"));
  const sc_core::sc_time period = device::clock_period(clock_mhz);
  const std::string text =
      fmt::format("{}: the period of {} MHz, {:.3f} ps, is rounded to {}", object_path, clock_mhz, exact, period.to_string());
  sc_core::sc_report_handler::report(sc_core::SC_INFO, report::device_clock, text.c_str(), __FILE__, __LINE__);
  return period;
}

namespace {

/// 90 for sm_90.
std::uint32_t architecture_number(const config::machine& machine) {
  return static_cast<std::uint32_t>(std::stoul(machine.architectures.at(0).substr(std::strlen("sm_"))));
}

}  // namespace

tensor_core_device::tensor_core_device(const sc_core::sc_module_name& module_name, const params& parameters)
    : sc_module(module_name),
      control("control", registers::bytes, register_callbacks()),
      period_(clock_period(parameters.machine.clock_mhz, name())),
      gpu_(std::make_unique<device::gpu>("gpu", parameters.machine, options_of(parameters))),
      bus_(std::make_unique<bus_interface>("memory", parameters.memory, gpu_->clock())),
      registers_(architecture_number(parameters.machine), capabilities_of(parameters.machine)) {
  command_processor::callbacks callbacks;
  callbacks.changed = [this] { changed_.notify(sc_core::SC_ZERO_TIME); };
  callbacks.done = [this](const command_result& result) {
    if (on_done_) on_done_(result);
  };
  callbacks.idle = [this] {
    if (on_idle_ && control.idle()) on_idle_();
  };
  callbacks.is_bus_idle = [this] { return bus_->idle(); };
  processor_ = std::make_unique<command_processor>("commands", parameters.commands, *gpu_, registers_, callbacks);
  links_.bind_all(bus_->port, parameters.monitors);
  processor_->port().bind(bus_->port);
}

tensor_core_device::~tensor_core_device() = default;

device::run_options tensor_core_device::options_of(const params& parameters) {
  device::run_options options;
  options.timing_of_preset = parameters.timing_of_preset;
  options.binder = &links_;
  options.units = parameters.units;
  options.period = period_;
  return options;
}

/// An output has one writer: the registers change in processes of whoever accesses them, and in edges of the clock.
void tensor_core_device::end_of_elaboration() {
  const auto spawn = [](const char* process, const sc_core::sc_event& event, std::function<void()> body) {
    sc_core::sc_spawn_options options;
    options.spawn_method();
    options.dont_initialize();
    options.set_sensitivity(&event);
    sc_core::sc_spawn(std::move(body), process, &options);
  };
  spawn("drive_interrupt", changed_, [this] { drive_interrupt(); });
  if (reset.size() != 0) spawn("begin_reset", reset->posedge_event(), [this] { begin_reset(); });
}

register_target::registers tensor_core_device::register_callbacks() {
  register_target::registers callbacks;
  callbacks.is_writable = register_file::is_writable;
  callbacks.is_constant = register_file::is_constant;
  callbacks.read = [this](std::uint32_t offset, const sc_core::sc_time& delay) {
    return registers_.read(offset, cycle_after(delay), processor_->idle());
  };
  callbacks.write = [this](std::uint32_t offset, std::uint32_t value) { write(offset, value); };
  callbacks.has_acted_later = [this] { processor_->tell_idle_again(); };
  callbacks.debug = [this](tlm::tlm_generic_payload& payload) { return debug(payload); };
  return callbacks;
}

void tensor_core_device::write(std::uint32_t offset, std::uint32_t value) {
  switch (registers_.write(offset, value)) {
    case register_file::effect::none:
      break;
    case register_file::effect::look:
      processor_->look();
      break;
    case register_file::effect::reset:
      begin_reset();
      break;
  }
  changed_.notify(sc_core::SC_ZERO_TIME);
}

unsigned tensor_core_device::debug(tlm::tlm_generic_payload& payload) {
  if (!payload.is_read()) return 0;
  const std::uint64_t first = payload.get_address();
  for (unsigned i = 0; i < payload.get_data_length(); ++i) {
    const auto byte = static_cast<std::uint32_t>(first + i);
    payload.get_data_ptr()[i] =
        static_cast<unsigned char>(registers_.peek(byte & ~3u, cycle_after(sc_core::SC_ZERO_TIME), processor_->idle()) >> 8 * (byte & 3u));
  }
  return payload.get_data_length();
}

std::uint64_t tensor_core_device::cycle_after(const sc_core::sc_time& delay) const {
  return (sc_core::sc_time_stamp() + delay).value() / period_.value();
}

void tensor_core_device::begin_reset() {
  registers_.begin_reset(cycle_after(sc_core::SC_ZERO_TIME));
  processor_->reset();
  changed_.notify(sc_core::SC_ZERO_TIME);
}

}  // namespace tc::platform
