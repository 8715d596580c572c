// SPDX-License-Identifier: Apache-2.0
#include "device_bench.hpp"

#include <gtest/gtest.h>

#include <tc/config/machine_loader.hpp>
#include <tc/platform/device_reports.hpp>

namespace tc::platform::test {
namespace {

tensor_core_device::params params_of(const device_bench::params& parameters) {
  tensor_core_device::params device;
  device.machine = parameters.machine;
  device.timing_of_preset = true;
  device.monitors = parameters.monitors;
  device.memory.sockets = parameters.sockets;
  device.memory.mode = parameters.mode;
  device.memory.quantum = {1, sc_core::SC_US};
  device.commands = parameters.commands;
  return device;
}

stand_ins::random_memory::params memory_of(const device_bench::params& parameters) {
  stand_ins::random_memory::params memory = parameters.memory;
  memory.ports = parameters.sockets;
  memory.direct = parameters.mode == timing::loose;
  return memory;
}

}  // namespace

config::machine machine_of(const std::string& preset, const std::vector<std::string>& assignments) {
  return config::load_machine(std::filesystem::path(TC_SOURCE_DIR) / "configs" / (preset + ".json"), assignments);
}

void expect_warnings() {
  for (const char* type : {report::device_command, report::device_queue})
    sc_core::sc_report_handler::set_actions(type, sc_core::SC_WARNING, sc_core::SC_DO_NOTHING);
}

device_bench::device_bench(const sc_core::sc_module_name& module_name, const params& parameters) : sc_module(module_name) {
  sc_core::sc_report_handler::set_actions(report::device_clock, sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
  device_ = std::make_unique<tensor_core_device>("device", params_of(parameters));
  memory_ = std::make_unique<stand_ins::random_memory>("memory", memory_of(parameters));
  software.bind(device_->control);
  device_->interrupt(interrupt);
  device_->reset(reset);
  for (unsigned i = 0; i < parameters.sockets; ++i) {
    monitors_.push_back(std::make_unique<fabric::base_protocol_monitor<>>(sc_core::sc_gen_unique_name("monitor")));
    device_->memory().bus[i].bind(monitors_.back()->target);
    monitors_.back()->initiator.bind(memory_->port[i].socket);
  }
}

device_bench::~device_bench() = default;

tlm::tlm_response_status device_bench::access(tlm::tlm_command command, std::uint64_t address, void* data, unsigned bytes) {
  tlm::tlm_generic_payload payload;
  fabric::set_attributes(payload, command, address, static_cast<unsigned char*>(data), bytes);
  sc_core::sc_time delay;
  software->b_transport(payload, delay);
  EXPECT_EQ(delay, sc_core::SC_ZERO_TIME);
  return payload.get_response_status();
}

std::uint32_t device_bench::read(std::uint32_t offset) {
  std::uint32_t value = 0;
  EXPECT_EQ(access(tlm::TLM_READ_COMMAND, offset, &value, sizeof value), tlm::TLM_OK_RESPONSE);
  return value;
}

void device_bench::write(std::uint32_t offset, std::uint32_t value) {
  EXPECT_EQ(access(tlm::TLM_WRITE_COMMAND, offset, &value, sizeof value), tlm::TLM_OK_RESPONSE);
}

void device_bench::put(std::uint64_t address, const void* data, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) memory_->at(address + i) = static_cast<const unsigned char*>(data)[i];
}

void device_bench::get(std::uint64_t address, void* data, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) static_cast<unsigned char*>(data)[i] = memory_->at(address + i);
}

void device_bench::start() {
  tail_ = 0;
  write(TCSIM_REG_RING_BASE_LOW, ring);
  write(TCSIM_REG_RING_ENTRIES, entries);
  write(TCSIM_REG_CONTROL, TCSIM_CONTROL_ENABLE);
}

void device_bench::run() {
  sc_core::sc_start();
  EXPECT_TRUE(device_->idle());
  EXPECT_TRUE(status(TCSIM_STATUS_IDLE));
}

tcsim_completion_record device_bench::record(std::uint32_t identifier) {
  tcsim_completion_record result;
  get(record_of(identifier), &result, sizeof result);
  return result;
}

}  // namespace tc::platform::test
