// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstdint>
#include <optional>

#include <systemc>
#include <tlm>

#include <gtest/gtest.h>

#include <tc/fabric/base_protocol_initiator.hpp>
#include <tc/fabric/payload_pool.hpp>
#include <tc/subcore/tensor/b_buffer.hpp>

namespace tc::subcore::tensor_b_buffer_test {
namespace {

constexpr unsigned register_bytes = b_buffer::params{}.register_bytes();
constexpr sc_dt::uint64 tile_1 = b_buffer::params{}.tile_bytes();

/// A buffer of two tiles and two readers, filled by two registers a cycle.
class b_buffer_bench final : public sc_core::sc_module {
 public:
  explicit b_buffer_bench(const sc_core::sc_module_name& module_name) : sc_module(module_name) {
    filler.bind(buffer.fill);
    reader_0.bind(buffer.read[0]);
    reader_1.bind(buffer.read[1]);
  }

  struct answer {
    tlm::tlm_response_status status;
    fabric::cycle_t cycle;
  };

  answer access(fabric::base_protocol_initiator& port, tlm::tlm_command command, sc_dt::uint64 address, unsigned registers,
                fabric::cycle_t cycle) {
    if (!sc_core::sc_start_of_simulation_invoked()) sc_core::sc_start(sc_core::SC_ZERO_TIME);  // elaborates
    tlm::tlm_generic_payload& payload = payloads.get();
    fabric::set_attributes(payload, command, address, reinterpret_cast<unsigned char*>(data.data()), registers * register_bytes);
    port.send(payload, clock.delay_to(cycle));
    return *latest;
  }
  answer fill(sc_dt::uint64 address, unsigned registers, fabric::cycle_t cycle) {
    return access(filler, tlm::TLM_WRITE_COMMAND, address, registers, cycle);
  }
  answer read(sc_dt::uint64 address, unsigned registers, fabric::cycle_t cycle) {
    return access(reader_0, tlm::TLM_READ_COMMAND, address, registers, cycle);
  }

  /// A word read or written by debug transport.
  std::uint32_t debug(tlm::tlm_command command, sc_dt::uint64 address, std::uint32_t word) {
    tlm::tlm_generic_payload& payload = payloads.get();
    fabric::set_attributes(payload, command, address, reinterpret_cast<unsigned char*>(&word), sizeof(word));
    EXPECT_EQ(reader_0->transport_dbg(payload), sizeof(word));
    payload.release();
    return word;
  }

  void done(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay) {
    latest = answer{payload.get_response_status(), clock.edge_at(delay)};
    payload.release();
  }

  fabric::clock_domain clock{"clock", sc_core::sc_time(1, sc_core::SC_NS)};
  b_buffer buffer{"buffer", {2, 2, 2}, clock};
  fabric::base_protocol_initiator filler{"filler", [this](auto& payload, const auto& delay) { done(payload, delay); }};
  fabric::base_protocol_initiator reader_0{"reader_0", [this](auto& payload, const auto& delay) { done(payload, delay); }};
  fabric::base_protocol_initiator reader_1{"reader_1", [this](auto& payload, const auto& delay) { done(payload, delay); }};
  fabric::payload_pool payloads;
  std::array<std::uint32_t, 9 * warp::lanes_per_warp> data{};  ///< a register more than a tile
  std::optional<answer> latest;
};

TEST(tensor_b_buffer, returns_what_it_was_filled_with) {
  b_buffer_bench bench("bench");
  bench.data.fill(0x12345678);
  EXPECT_EQ(bench.fill(tile_1, 2, 3).cycle, 4u) << "two registers in one cycle";
  bench.data.fill(0);
  EXPECT_EQ(bench.fill(0, 1, 4).cycle, 5u);
  EXPECT_EQ(bench.read(tile_1, 2, 6).cycle, 6u);
  EXPECT_EQ(bench.data.front(), 0x12345678u);
  EXPECT_EQ(bench.data[2 * warp::lanes_per_warp - 1], 0x12345678u);
}

TEST(tensor_b_buffer, serves_every_reader) {
  b_buffer_bench bench("bench");
  bench.data.fill(7);
  bench.fill(0, 1, 1);
  bench.data.fill(0);
  EXPECT_EQ(bench.access(bench.reader_1, tlm::TLM_READ_COMMAND, 0, 1, 2).status, tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(bench.data[31], 7u);
}

TEST(tensor_b_buffer, refuses_to_be_read_before_it_is_filled) {
  b_buffer_bench bench("bench");
  bench.fill(0, 2, 3);
  EXPECT_EQ(bench.read(0, 2, 3).status, tlm::TLM_GENERIC_ERROR_RESPONSE);
  EXPECT_EQ(bench.read(0, 2, 4).status, tlm::TLM_OK_RESPONSE);
}

TEST(tensor_b_buffer, refuses_to_be_filled_before_it_is_read) {
  b_buffer_bench bench("bench");
  bench.fill(0, 2, 1);
  bench.read(0, 2, 9);
  EXPECT_EQ(bench.fill(0, 2, 8).status, tlm::TLM_GENERIC_ERROR_RESPONSE);
  EXPECT_EQ(bench.fill(tile_1, 2, 8).status, tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(bench.fill(0, 2, 9).status, tlm::TLM_OK_RESPONSE);
}

TEST(tensor_b_buffer, moves_whole_registers_of_one_tile) {
  b_buffer_bench bench("bench");
  EXPECT_EQ(bench.fill(tile_1 - register_bytes, 2, 1).status, tlm::TLM_GENERIC_ERROR_RESPONSE) << "two tiles";
  EXPECT_EQ(bench.read(tile_1 - register_bytes, 2, 1).status, tlm::TLM_GENERIC_ERROR_RESPONSE) << "two tiles";
  EXPECT_EQ(bench.fill(0, 9, 1).status, tlm::TLM_BURST_ERROR_RESPONSE) << "more than a tile";
  EXPECT_EQ(bench.fill(64, 1, 1).status, tlm::TLM_ADDRESS_ERROR_RESPONSE) << "not a register";
  EXPECT_EQ(bench.fill(2 * tile_1, 1, 1).status, tlm::TLM_ADDRESS_ERROR_RESPONSE) << "no third tile";
}

TEST(tensor_b_buffer, shows_what_it_holds_to_a_debugger) {
  b_buffer_bench bench("bench");
  bench.data.fill(7);
  bench.fill(tile_1, 2, 1);
  EXPECT_EQ(bench.debug(tlm::TLM_READ_COMMAND, tile_1 + 4, 5), 7u) << "not yet read, and not aligned";
  EXPECT_EQ(bench.debug(tlm::TLM_WRITE_COMMAND, tile_1 + 4, 9), 9u);
  bench.read(tile_1, 2, 2);
  EXPECT_EQ(bench.data[0], 7u);
  EXPECT_EQ(bench.data[1], 9u);
}

TEST(tensor_b_buffer, has_ports_for_one_purpose_each) {
  b_buffer_bench bench("bench");
  EXPECT_EQ(bench.access(bench.filler, tlm::TLM_READ_COMMAND, 0, 1, 1).status, tlm::TLM_COMMAND_ERROR_RESPONSE);
  EXPECT_EQ(bench.access(bench.reader_0, tlm::TLM_WRITE_COMMAND, 0, 1, 1).status, tlm::TLM_COMMAND_ERROR_RESPONSE);
}

}  // namespace
}  // namespace tc::subcore::tensor_b_buffer_test
