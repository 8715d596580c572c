// SPDX-License-Identifier: Apache-2.0
#define SC_INCLUDE_DYNAMIC_PROCESSES  // sc_spawn; must precede the first SystemC header
#include <cstdint>
#include <cstring>

#include <systemc>

#include <gtest/gtest.h>

#include <tc/platform/device_reports.hpp>

#include "device_bench.hpp"
#include "hostile_initiator.hpp"

// Registers of a device that are written by software out of its mind.

namespace tc::platform::test::hostile_device_test {
namespace {

/// A word of the device by the rules.
std::uint32_t transfer(hostile_initiator& from, tlm::tlm_command command, std::uint32_t offset, std::uint32_t value = 0) {
  tlm::tlm_generic_payload payload;
  fabric::set_attributes(payload, command, offset, reinterpret_cast<unsigned char*>(&value), sizeof value);
  sc_core::sc_time delay;
  from.socket->b_transport(payload, delay);
  EXPECT_TRUE(payload.is_response_ok()) << "register " << offset;
  return value;
}

class hostile_software : public testing::TestWithParam<unsigned> {};

TEST_P(hostile_software, is_survived_by_the_device) {
  expect_warnings();
  sc_core::sc_report_handler::set_actions(report::device_clock, sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
  tensor_core_device::params params;
  params.machine = machine_of("volta");
  params.timing_of_preset = true;
  tensor_core_device device("device", params);
  // Small, so that a ring of any size soon leaves it.
  stand_ins::random_memory::params small;
  small.bytes = 4096;
  stand_ins::random_memory memory("memory", small);
  sc_core::sc_signal<bool> interrupt("interrupt");
  constexpr sc_dt::uint64 attacked_bytes = 2 * (512 + TCSIM_REG_BYTES);  // its requests begin in the first half, 512 before its end
  hostile_initiator initiator("initiator", {GetParam(), attacked_bytes});
  initiator.socket.bind(device.control);
  device.memory().bus[0].bind(memory.port[0].socket);
  device.interrupt(interrupt);

  unsigned completed = 0;
  sc_core::sc_spawn([&] {
    for (unsigned round = 0; round < 20; ++round) {
      initiator.attack(100);
      EXPECT_TRUE(initiator.settle()) << initiator.outstanding << " requests are not answered";
      transfer(initiator, tlm::TLM_WRITE_COMMAND, TCSIM_REG_CONTROL, TCSIM_CONTROL_RESET);
      sc_core::wait(1, sc_core::SC_MS);
      EXPECT_EQ(transfer(initiator, tlm::TLM_READ_COMMAND, TCSIM_REG_STATUS), TCSIM_STATUS_IDLE);

      for (unsigned i = 0; i < TCSIM_DESCRIPTOR_BYTES; ++i) memory.at(i) = 0;
      memory.at(0) = TCSIM_OPCODE_NO_OPERATION;
      transfer(initiator, tlm::TLM_WRITE_COMMAND, TCSIM_REG_RING_ENTRIES, 2);
      transfer(initiator, tlm::TLM_WRITE_COMMAND, TCSIM_REG_CONTROL, TCSIM_CONTROL_ENABLE);
      transfer(initiator, tlm::TLM_WRITE_COMMAND, TCSIM_REG_TAIL, 1);
      sc_core::wait(1, sc_core::SC_MS);
      completed += transfer(initiator, tlm::TLM_READ_COMMAND, TCSIM_REG_COMPLETED);
    }
    sc_core::sc_stop();
  });
  sc_core::sc_start();
  EXPECT_EQ(completed, 20U);
  EXPECT_GT(initiator.reports, 0U) << "phases out of order";
}

INSTANTIATE_TEST_SUITE_P(seed, hostile_software, testing::Values(1U, 2U, 3U));

}  // namespace
}  // namespace tc::platform::test::hostile_device_test
