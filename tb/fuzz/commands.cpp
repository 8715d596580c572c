// SPDX-License-Identifier: Apache-2.0
// The command queue of the device: an input is the machine and what a host wrote into memory from address 0 on, where the ring begins.
// Every command must end with a status, and the device be ready for the next input.
#include <algorithm>
#include <array>
#include <memory>

#include <systemc>
#include <tlm>
#include <tlm_utils/simple_initiator_socket.h>

#include <tc/config/presets.hpp>
#include <tc/fabric/payload_pool.hpp>
#include <tc/platform/device_reports.hpp>
#include <tc/platform/tcsim_device.h>
#include <tc/platform/tensor_core_device.hpp>

#include "stand_ins/random_memory.hpp"
#include "support.hpp"

namespace tcsim::fuzz {
namespace {

using tc::platform::tensor_core_device;

tensor_core_device::params device_of(const std::string& preset) {
  tensor_core_device::params params;
  params.machine = tc::config::make_preset(preset);
  params.machine.sms = 1;
  params.timing_of_preset = true;
  params.monitors = true;
  params.commands.reader.kernels.instructions = 20'000;  // that are listed quickly
  return params;
}

tc::stand_ins::random_memory::params small_memory(sc_dt::uint64 bytes) {
  tc::stand_ins::random_memory::params params;
  params.bytes = bytes;
  return params;
}

/// A device with its memory and the software that uses it.
class platform final : public sc_core::sc_module {
 public:
  static constexpr std::size_t memory_bytes = 1 << 15;
  static constexpr std::uint32_t entries = 4;

  platform(const sc_core::sc_module_name& name, const std::string& preset)
      : sc_module(name), device_("device", device_of(preset)), memory_("memory", small_memory(memory_bytes)) {
    software_.bind(device_.control);
    device_.interrupt(interrupt_);
    device_.memory().bus[0].bind(memory_.port[0].socket);
  }

  /// Runs the commands of a host that wrote these bytes.
  void run(const std::uint8_t* data, std::size_t size) {
    size = std::min(size, memory_bytes);
    for (std::size_t i = 0; i < memory_bytes; ++i) memory_.at(i) = i < size ? data[i] : 0;
    const auto commands = std::clamp<std::uint32_t>(static_cast<std::uint32_t>(size / TCSIM_DESCRIPTOR_BYTES), 1, entries - 1);
    write(TCSIM_REG_RING_ENTRIES, entries);
    write(TCSIM_REG_TIME_LIMIT_LOW, 300);
    write(TCSIM_REG_CONTROL, TCSIM_CONTROL_ENABLE);
    write(TCSIM_REG_TAIL, commands);
    run_until_idle();
    check(commands);
    write(TCSIM_REG_CONTROL, TCSIM_CONTROL_RESET);
    run_until_idle();
    require(read(TCSIM_REG_STATUS) == TCSIM_STATUS_IDLE, "the device is idle after a reset");
  }

 private:
  /// Commands end within their time limits and so many accesses to memory.
  void run_until_idle() {
    for (unsigned left = 1000; !device_.idle(); --left) {
      require(left != 0, "the device becomes idle");
      sc_core::sc_start(10, sc_core::SC_US);
    }
  }

  void check(std::uint32_t commands) {
    const std::uint32_t completed = read(TCSIM_REG_COMPLETED), status = read(TCSIM_REG_LATEST_STATUS);
    require(completed <= commands, "no command ends twice");
    require(completed == commands || read(TCSIM_REG_INTERRUPT_CAUSE) != 0, "commands that do not end have a cause");
    const auto& codes = tc::platform::status_codes;
    const bool is_known = std::any_of(codes.begin(), codes.end(), [&](const auto& each) { return each.code == status; });
    require(completed == 0 || is_known, "the status of a command is one of the codes");
  }

  std::uint32_t access(tlm::tlm_command command, std::uint32_t offset, std::uint32_t value) {
    tlm::tlm_generic_payload payload;
    tc::fabric::set_attributes(payload, command, offset, reinterpret_cast<unsigned char*>(&value), sizeof value);
    sc_core::sc_time delay;
    software_->b_transport(payload, delay);
    require(payload.is_response_ok(), "registers can be read and written");
    return value;
  }
  std::uint32_t read(std::uint32_t offset) { return access(tlm::TLM_READ_COMMAND, offset, 0); }
  void write(std::uint32_t offset, std::uint32_t value) { access(tlm::TLM_WRITE_COMMAND, offset, value); }

  tlm_utils::simple_initiator_socket<platform> software_{"software"};
  sc_core::sc_signal<bool> interrupt_{"interrupt"};
  tensor_core_device device_;
  tc::stand_ins::random_memory memory_;
};

struct platforms {
  platforms() {
    using sc_core::sc_report_handler;
    sc_report_handler::set_actions(sc_core::SC_WARNING, sc_core::SC_DO_NOTHING);
    sc_report_handler::set_actions(sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
  std::array<platform, 3> all{platform("volta", "volta"), platform("hopper", "hopper"), platform("blackwell", "blackwell")};
};

}  // namespace
}  // namespace tcsim::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tcsim::fuzz;
  static const auto here = std::make_unique<platforms>();
  if (size == 0) return 0;
  here->all.at(*data % here->all.size()).run(data + 1, size - 1);
  return 0;
}
