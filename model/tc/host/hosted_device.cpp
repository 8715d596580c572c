// SPDX-License-Identifier: Apache-2.0
#include "hosted_device.hpp"

#include <cstddef>
#include <utility>

#include <tc/config/presets.hpp>

namespace tc::host {

namespace {

platform::tensor_core_device::params device_parameters(const config::machine& machine, const tcsim_options& options) {
  platform::tensor_core_device::params parameters;
  parameters.machine = machine;
  parameters.timing_of_preset = config::has_preset_timing(machine);
  if (options.outstanding != 0) parameters.memory.outstanding = options.outstanding;
  return parameters;
}

}  // namespace

hosted_device::hosted_device(const sc_core::sc_module_name& module_name, const config::machine& machine, const tcsim_options& options)
    : sc_module(module_name), device_("device", device_parameters(machine, options)), memory_("memory", options) {
  registers_.bind(device_.control);
  device_.interrupt.bind(interrupt_);
  auto& sockets = device_.memory().bus;
  // NOLINTNEXTLINE(modernize-loop-convert): iterators of sc_vector are ambiguous in C++20
  for (std::size_t i = 0; i < sockets.size(); ++i) sockets[i].bind(memory_.port);
  device_.on_done([this](const platform::command_result& result) {
    if (callbacks_.done) callbacks_.done(result);
  });
  device_.on_idle([this] {
    if (callbacks_.idle) callbacks_.idle();
  });
  SC_METHOD(on_interrupt);
  sensitive << interrupt_;
  dont_initialize();
}

hosted_device::~hosted_device() = default;

bool hosted_device::read_register(std::uint32_t offset, std::uint32_t& value) {
  unsigned char bytes[4] = {};
  if (!access(tlm::TLM_READ_COMMAND, offset, bytes)) return false;
  value = std::uint32_t{bytes[0]} | std::uint32_t{bytes[1]} << 8 | std::uint32_t{bytes[2]} << 16 | std::uint32_t{bytes[3]} << 24;
  return true;
}

bool hosted_device::write_register(std::uint32_t offset, std::uint32_t value) {
  unsigned char bytes[4];
  for (unsigned i = 0; i < sizeof bytes; ++i) bytes[i] = static_cast<unsigned char>(value >> 8 * i);
  return access(tlm::TLM_WRITE_COMMAND, offset, bytes);
}

/// The control socket answers in the call and never waits, so that it needs no thread.
bool hosted_device::access(tlm::tlm_command command, std::uint32_t offset, unsigned char (&bytes)[4]) {
  tlm::tlm_generic_payload payload;
  payload.set_command(command);
  payload.set_address(offset);
  payload.set_data_ptr(bytes);
  payload.set_data_length(sizeof bytes);
  payload.set_streaming_width(sizeof bytes);
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  registers_->b_transport(payload, delay);
  return payload.is_response_ok();
}

void hosted_device::on_interrupt() {
  if (callbacks_.interrupt) callbacks_.interrupt(interrupt_.read());
}

}  // namespace tc::host
