// SPDX-License-Identifier: Apache-2.0
#include <array>

#include <gtest/gtest.h>

#include <tc/platform/device_reports.hpp>

#include "device_bench.hpp"

// The sockets and wires of the device.

namespace tc::platform::test::device_control_test {
namespace {

device_bench::params on(const std::string& preset) {
  device_bench::params params;
  params.machine = machine_of(preset);
  return params;
}

TEST(device_control, tells_what_it_is) {
  device_bench bench("bench", on("hopper"));
  EXPECT_EQ(bench.read(TCSIM_REG_IDENTIFICATION), TCSIM_IDENTIFICATION);
  EXPECT_EQ(bench.read(TCSIM_REG_VERSION), TCSIM_VERSION);
  EXPECT_EQ(bench.read(TCSIM_REG_ARCHITECTURE), 90u);
  EXPECT_EQ(bench.read(TCSIM_REG_CAPABILITIES), TCSIM_CAPABILITIES_RUN_TRACE | TCSIM_CAPABILITIES_GEMM | TCSIM_CAPABILITIES_WARPGROUP_GEMM);
  EXPECT_EQ(bench.read(TCSIM_REG_STATUS), TCSIM_STATUS_IDLE);
}

TEST(device_control, takes_words_in_their_places_only) {
  device_bench bench("bench", on("volta"));
  std::array<unsigned char, 8> data{};
  const auto answer = [&](tlm::tlm_command command, std::uint64_t address, unsigned bytes) {
    return bench.access(command, address, data.data(), bytes);
  };
  for (const auto command : {tlm::TLM_READ_COMMAND, tlm::TLM_WRITE_COMMAND}) {
    for (const unsigned bytes : {1u, 2u, 8u}) EXPECT_EQ(answer(command, TCSIM_REG_TAIL, bytes), tlm::TLM_BURST_ERROR_RESPONSE) << bytes;
    EXPECT_EQ(answer(command, TCSIM_REG_TAIL + 2, 4), tlm::TLM_ADDRESS_ERROR_RESPONSE);
    EXPECT_EQ(answer(command, TCSIM_REG_BYTES, 4), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  }
  EXPECT_EQ(answer(tlm::TLM_WRITE_COMMAND, TCSIM_REG_HEAD, 4), tlm::TLM_COMMAND_ERROR_RESPONSE);
  EXPECT_EQ(answer(tlm::TLM_IGNORE_COMMAND, TCSIM_REG_HEAD, 4), tlm::TLM_OK_RESPONSE);
}

TEST(device_control, answers_non_blocking_calls_and_looks_without_effect) {
  device_bench bench("bench", on("volta"));
  fabric::payload_pool pool;
  std::array<unsigned char, 4> data{};
  tlm::tlm_generic_payload& payload = pool.get();
  fabric::set_attributes(payload, tlm::TLM_READ_COMMAND, TCSIM_REG_IDENTIFICATION, data.data(), 4);
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay(3, sc_core::SC_NS);
  EXPECT_EQ(bench.software->nb_transport_fw(payload, phase, delay), tlm::TLM_COMPLETED);
  EXPECT_TRUE(payload.is_response_ok());
  EXPECT_EQ(data, (std::array<unsigned char, 4>{'i', 's', 'c', 't'}));
  fabric::set_attributes(payload, tlm::TLM_READ_COMMAND, TCSIM_REG_IDENTIFICATION + 1, data.data(), 3);
  EXPECT_EQ(bench.software->transport_dbg(payload), 3u);
  EXPECT_EQ(data[0], 's');
  fabric::set_attributes(payload, tlm::TLM_WRITE_COMMAND, TCSIM_REG_CONTROL, data.data(), 4);
  EXPECT_EQ(bench.software->transport_dbg(payload), 0u);
  EXPECT_EQ(bench.read(TCSIM_REG_CONTROL), 0u);
  payload.release();
}

TEST(device_control, counts_cycles_of_the_machine_and_reports_its_period) {
  device_bench bench("bench", on("hopper"));
  EXPECT_EQ(bench.device().period(), sc_core::sc_time(546, sc_core::SC_PS));
  bench.start();
  sc_core::sc_start(546 * 1000, sc_core::SC_PS);
  EXPECT_EQ(bench.read(TCSIM_REG_CYCLES_LOW), 1000u);
  EXPECT_EQ(bench.read(TCSIM_REG_CYCLES_HIGH), 0u);
}

TEST(device_control, a_coarse_time_resolution_is_an_error_that_says_what_to_do) {
  sc_core::sc_set_time_resolution(10, sc_core::SC_PS);
  try {
    device_bench bench("bench", on("volta"));
    FAIL() << "10 ps is more than 1 % of 654 ps";
  } catch (const sc_core::sc_report& report) {
    EXPECT_STREQ(report.get_msg_type(), report::device_clock);
    EXPECT_NE(std::string(report.get_msg()).find("sc_set_time_resolution(1, sc_core::SC_PS)"), std::string::npos) << report.get_msg();
  }
}

TEST(device_control, parameters_with_which_no_command_is_read_are_an_error) {
  device_bench::params params = on("volta");
  params.commands.outstanding = 0;
  EXPECT_THROW(device_bench("bench", params), sc_core::sc_report);
}

TEST(device_control, the_interrupt_follows_causes_that_are_enabled) {
  device_bench bench("bench", on("volta"));
  bench.start();
  auto command = device_bench::descriptor<tcsim_command>(TCSIM_OPCODE_NO_OPERATION, 3);
  command.flags = TCSIM_FLAG_INTERRUPT_WHEN_DONE;
  EXPECT_EQ(bench.status_of(command), TCSIM_RESULT_DONE);
  EXPECT_EQ(bench.read(TCSIM_REG_INTERRUPT_CAUSE), TCSIM_INTERRUPT_CAUSE_COMMAND_DONE | TCSIM_INTERRUPT_CAUSE_QUEUE_EMPTY);
  EXPECT_FALSE(bench.interrupt.read());
  bench.write(TCSIM_REG_INTERRUPT_ENABLE, TCSIM_INTERRUPT_CAUSE_COMMAND_DONE);
  bench.run();
  EXPECT_TRUE(bench.interrupt.read());
  bench.write(TCSIM_REG_INTERRUPT_CAUSE, TCSIM_INTERRUPT_CAUSE_COMMAND_DONE);
  bench.run();
  EXPECT_FALSE(bench.interrupt.read());
  EXPECT_EQ(bench.read(TCSIM_REG_INTERRUPT_CAUSE), TCSIM_INTERRUPT_CAUSE_QUEUE_EMPTY);
}

TEST(device_control, tells_the_program_that_holds_it_what_happens) {
  device_bench bench("bench", on("volta"));
  unsigned idle = 0;
  std::vector<command_result> done;
  bench.device().on_idle([&] { idle += bench.device().idle() ? 1u : 100u; });
  bench.device().on_done([&](const command_result& result) { done.push_back(result); });
  bench.start();
  const tcsim_gemm gemm = descriptor_of(small_gemm(), 5);
  write_matrices(bench, gemm, 1);
  bench.execute(gemm);
  EXPECT_EQ(idle, 1u);
  ASSERT_EQ(done.size(), 1u);
  EXPECT_EQ(done[0].record.identifier, 5u);
  EXPECT_EQ(done[0].kernel, "gemm_f16_16x16x16");
  EXPECT_GT(done[0].record.cycles, 100u);
}

}  // namespace
}  // namespace tc::platform::test::device_control_test
