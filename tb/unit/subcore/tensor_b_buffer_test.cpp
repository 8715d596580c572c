// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstdint>

#include <systemc>
#include <tlm>

#include <gtest/gtest.h>

#include <tc/subcore/tensor/b_buffer.hpp>

namespace tc::subcore::tensor_b_buffer_test {
namespace {

/// A buffer of two tiles and two readers, filled by two registers a cycle.
class b_buffer_bench final : public sc_core::sc_module {
 public:
  using port = links::b_tile_initiator<b_buffer_bench>;

  explicit b_buffer_bench(const sc_core::sc_module_name& module_name) : sc_module(module_name) {
    filler.bind(buffer.fill);
    reader_0.bind(buffer.read[0]);
    reader_1.bind(buffer.read[1]);
  }

  links::b_tile_transfer send(port& to, unsigned tile, unsigned registers, fabric::cycle_t cycle, const std::uint32_t* words) {
    if (!sc_core::sc_start_of_simulation_invoked()) sc_core::sc_start(sc_core::SC_ZERO_TIME);  // elaborates
    links::b_tile_transfer transfer;
    transfer.tile = tile;
    transfer.registers = registers;
    transfer.words = words;
    transfer.arrival = transfer.complete = cycle;
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay;
    EXPECT_EQ(to->nb_transport_fw(transfer, phase, delay), tlm::TLM_COMPLETED);
    return transfer;
  }
  links::b_tile_transfer fill(unsigned tile, unsigned registers, fabric::cycle_t cycle) {
    return send(filler, tile, registers, cycle, data.data());
  }
  links::b_tile_transfer read(unsigned tile, unsigned registers, fabric::cycle_t cycle) {
    return send(reader_0, tile, registers, cycle, nullptr);
  }

  b_buffer buffer{"buffer", {2, 2, 2}};
  port filler{"filler"}, reader_0{"reader_0"}, reader_1{"reader_1"};
  std::array<std::uint32_t, links::max_b_registers * warp::lanes_per_warp> data{};
};

TEST(tensor_b_buffer, returns_what_it_was_filled_with) {
  b_buffer_bench bench("bench");
  bench.data.fill(0x12345678);
  EXPECT_EQ(bench.fill(1, 2, 3).complete, 4u) << "two registers in one cycle";
  bench.data.fill(0);
  EXPECT_EQ(bench.fill(0, 1, 4).complete, 5u);
  const links::b_tile_transfer tile = bench.read(1, 2, 6);
  EXPECT_EQ(tile.complete, 6u);
  ASSERT_NE(tile.words, nullptr);
  EXPECT_EQ(tile.words[0], 0x12345678u);
  EXPECT_EQ(tile.words[2 * warp::lanes_per_warp - 1], 0x12345678u);
}

TEST(tensor_b_buffer, serves_every_reader) {
  b_buffer_bench bench("bench");
  bench.data.fill(7);
  bench.fill(0, 1, 1);
  const links::b_tile_transfer tile = bench.send(bench.reader_1, 0, 1, 2, nullptr);
  EXPECT_EQ(tile.refusal, nullptr);
  EXPECT_EQ(tile.words[31], 7u);
}

TEST(tensor_b_buffer, refuses_to_be_read_before_it_is_filled) {
  b_buffer_bench bench("bench");
  bench.fill(0, 2, 3);
  const links::b_tile_transfer early = bench.read(0, 2, 3);
  EXPECT_STREQ(early.refusal, "it is yet to be filled");
  EXPECT_EQ(early.complete, 4u);
  EXPECT_EQ(early.words, nullptr);
  EXPECT_EQ(bench.read(0, 2, 4).refusal, nullptr);
}

TEST(tensor_b_buffer, refuses_to_be_filled_before_it_is_read) {
  b_buffer_bench bench("bench");
  bench.fill(0, 2, 1);
  bench.read(0, 2, 9);
  const links::b_tile_transfer early = bench.fill(0, 2, 8);
  EXPECT_STREQ(early.refusal, "what it holds is yet to be read");
  EXPECT_EQ(early.complete, 9u);
  EXPECT_EQ(bench.fill(1, 2, 8).refusal, nullptr);
  EXPECT_EQ(bench.fill(0, 2, 9).refusal, nullptr);
}

TEST(tensor_b_buffer, has_its_tiles_and_no_more) {
  b_buffer_bench bench("bench");
  EXPECT_NE(bench.fill(0, 9, 1).refusal, nullptr) << "more registers than a tile has";
  EXPECT_NE(bench.fill(2, 1, 1).refusal, nullptr) << "no third tile";
  EXPECT_NE(bench.read(2, 1, 1).refusal, nullptr);
}

TEST(tensor_b_buffer, shows_what_it_holds_to_a_debugger) {
  b_buffer_bench bench("bench");
  bench.data.fill(7);
  bench.fill(1, 2, 1);
  links::b_tile_transfer shown;
  shown.tile = 1;
  EXPECT_EQ(bench.reader_0->transport_dbg(shown), b_buffer::params{}.tile_bytes()) << "not yet read";
  EXPECT_EQ(shown.words[4], 7u);
  shown.tile = 2;
  EXPECT_EQ(bench.reader_0->transport_dbg(shown), 0u);
}

}  // namespace
}  // namespace tc::subcore::tensor_b_buffer_test
