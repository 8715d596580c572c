// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <functional>
#include <ostream>
#include <tuple>

#include <gtest/gtest.h>

#include <tc/fabric/extensions.hpp>
#include <tc/tmem/cell_address.hpp>
#include <tc/tmem/extensions.hpp>
#include <tc/tmem/tensor_memory.hpp>

#include "memory/memory_bench.hpp"

namespace tc::tmem::tensor_memory_test {
namespace {

using config::tensor_bank_organisation;
using memory::test::answer;
using memory::test::monitored_peer;

constexpr unsigned arrival = 1;  // cycles from now

/// A tensor memory with a link to each chunk and one of the tensor core, all monitored.
struct bench {
  using change = std::function<void(tensor_memory::params&)>;

  explicit bench(const change& adapt = [](auto&) {}) : memory("memory", params(adapt), clock) {
    for (unsigned chunk = 0; chunk < isa::tensor_chunks; ++chunk) warps[chunk].monitor.initiator.bind(memory.chunks[chunk].access);
    engine.monitor.initiator.bind(memory.engine[0]);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }

  static tensor_memory::params params(const change& adapt) {
    tensor_memory::params p;
    p.memory.columns = 512;
    adapt(p);
    return p;
  }

  /// A cell, through the debug transport of the tensor core.
  void put(isa::tensor_address cell, std::uint32_t value) {
    std::memcpy(requests.data.data(), &value, sizeof value);
    auto& payload = requests.payload(tlm::TLM_WRITE_COMMAND, address_of(cell), cell_bytes);
    EXPECT_EQ(engine.peer.socket->transport_dbg(payload), cell_bytes);
    payload.release();
  }
  std::uint32_t get(isa::tensor_address cell) {
    auto& payload = requests.payload(tlm::TLM_READ_COMMAND, address_of(cell), cell_bytes);
    EXPECT_EQ(engine.peer.socket->transport_dbg(payload), cell_bytes);
    payload.release();
    std::uint32_t value = 0;
    std::memcpy(&value, requests.data.data(), sizeof value);
    return value;
  }

  /// Cell (lane, column) = 1000 lane + column.
  void fill(isa::column_range columns) {
    for (unsigned lane = 0; lane < isa::tensor_lanes; ++lane)
      for (unsigned i = columns.first; i < columns.first + columns.count; ++i) put({lane, i}, 1000 * lane + i);
  }
  unsigned source_lane(unsigned lane, unsigned column) { return (get({lane, column}) - column) / 1000; }

  struct shifted {
    answer complete;
    std::uint64_t moved;  ///< cycles from now
  };
  shifted shift(unsigned column, std::uint64_t delay_cycles = arrival) {
    auto& payload = requests.payload(tlm::TLM_IGNORE_COMMAND, 0, 0);
    auto* const request = new lane_shift;
    request->first_column = column;
    payload.set_auto_extension(request);
    shifted result{};
    result.complete = requests.send(engine, payload, delay_cycles);
    EXPECT_TRUE(request->noted);
    result.moved = request->moved_after.value() / clock.period().value();
    payload.release();
    return result;
  }

  /// A load, from `columns.first` on, of 32 lanes unless a shape says otherwise. Needs a memory without data: there is no room for them.
  answer load(unsigned chunk, isa::column_range columns, const isa::tensor_access* shape = nullptr) {
    auto& payload = requests.payload(tlm::TLM_READ_COMMAND, address_in_chunk({0, columns.first}), columns.count * column_bytes);
    if (shape != nullptr) {
      warp_access& tag = warp_access::of(payload);
      std::tie(tag.shape, tag.repeat, tag.packed) = std::tie(shape->shape, shape->repeat, shape->packed);
    }
    const answer a = requests.send(warps[chunk], payload, arrival);
    payload.release_extension<warp_access>();  // with the payload: the next load may have no tag
    payload.release();
    return a;
  }

  fabric::clock_domain clock{"clock", sc_core::sc_time(1, sc_core::SC_NS)};
  sc_core::sc_vector<monitored_peer> warps{"warps", isa::tensor_chunks};
  monitored_peer engine{"peer"};
  tensor_memory memory;
  memory::test::requester requests;
};

void without_data(tensor_memory::params& p) { p.data = false; }

TEST(tensor_memory, shifts_eight_columns_of_each_chunk_by_a_lane) {
  bench test;
  test.fill({8, 24});
  test.shift(16);
  for (unsigned lane = 0; lane < isa::tensor_lanes; ++lane)
    EXPECT_EQ(test.source_lane(lane, 16), lane % 32 == 31 ? lane : lane + 1) << lane;
  EXPECT_EQ(test.get({5, 15}), 5015U);
  EXPECT_EQ(test.get({5, 16}), 6016U);
  EXPECT_EQ(test.get({5, 23}), 6023U);
  EXPECT_EQ(test.get({5, 24}), 5024U);
}

TEST(tensor_memory, fills_chunks_with_their_last_lane_after_many_shifts) {
  bench test;
  test.fill({0, 8});
  for (unsigned n = 1; n <= 31; ++n) {
    test.shift(0);
    for (unsigned lane : {0U, 10U, 27U, 28U, 29U, 31U, 32U, 60U, 61U, 63U, 127U})
      EXPECT_EQ(test.source_lane(lane, 7), lane / 32 * 32 + std::min(lane % 32 + n, 31U)) << lane << " after " << n;
  }
}

/// The last lanes of the chunks, which a convolution loads anew after a shift, by writes of one lane of eight columns.
TEST(tensor_memory, takes_rows_into_the_lanes_that_a_shift_leaves) {
  bench test;
  test.fill({16, 8});
  test.shift(16);
  std::array<unsigned char, column_bytes> enables{};
  std::fill_n(enables.begin(), cell_bytes, static_cast<unsigned char>(TLM_BYTE_ENABLED));
  for (unsigned chunk = 0; chunk < isa::tensor_chunks; ++chunk) {
    test.requests.data.fill(static_cast<unsigned char>(chunk + 1));
    const unsigned length = 7 * column_bytes + cell_bytes;
    auto& payload = test.requests.payload(tlm::TLM_WRITE_COMMAND, address_of({32 * chunk + 31, 16}), length);
    payload.set_byte_enable_ptr(enables.data());
    payload.set_byte_enable_length(column_bytes);
    EXPECT_EQ(test.requests.send(test.engine, payload, arrival).status, tlm::TLM_OK_RESPONSE);
    payload.release();
  }
  for (unsigned column = 16; column < 24; ++column) {
    for (unsigned chunk = 0; chunk < isa::tensor_chunks; ++chunk) {
      EXPECT_EQ(test.get({32 * chunk + 31, column}), 0x01010101U * (chunk + 1)) << column;
      EXPECT_EQ(test.source_lane(32 * chunk + 30, column), 32 * chunk + 31);
      EXPECT_EQ(test.source_lane(32 * chunk, column), 32 * chunk + 1);
    }
  }
}

TEST(tensor_memory, shifts_one_after_the_other) {
  bench test(without_data);
  for (unsigned n = 1; n <= 32; ++n) {
    const auto [complete, moved] = test.shift(8 * n);
    EXPECT_EQ(moved - arrival, 12 * n);
    EXPECT_EQ(complete.cycles - arrival, 81 + 12 * n) << "8 shifts, then issue and commit: 215 cycles measured; 32: 503";
  }
  EXPECT_EQ(statistics_of(test.memory)["shifts"], 32U);
  EXPECT_EQ(statistics_of(test.memory)["shift_cycles"], 384U);
}

struct organisation {
  const char* name;
  tensor_bank_organisation banks;
  unsigned cycles;  ///< of 8 columns
};
std::ostream& operator<<(std::ostream& out, const organisation& banks) { return out << banks.name; }

class banking : public testing::TestWithParam<organisation> {};

TEST_P(banking, decides_alone_if_shifts_have_no_interval) {
  bench test([](auto& p) {
    p.memory.banks = GetParam().banks;
    p.memory.shift.interval_cycles = 0;
  });
  for (unsigned n = 1; n <= 3; ++n) EXPECT_EQ(test.shift(16).moved - arrival, n * GetParam().cycles);
}

INSTANTIATE_TEST_SUITE_P(tensor_memory, banking,
                         testing::Values(organisation{"banks_8x64", tensor_bank_organisation::banks_8x64, 1},
                                         organisation{"banks_4x128", tensor_bank_organisation::banks_4x128, 2},
                                         organisation{"sectors_of_2", tensor_bank_organisation::sectors_of_2, 4}));

TEST(tensor_memory, serves_a_stream_of_loads_at_the_rate_of_silicon) {
  bench test(without_data);
  std::uint64_t even = 0, odd = 0;
  for (unsigned n = 0; n < 1536; ++n) {
    even = test.load(0, {64, 16}).cycles;
    odd = test.load(1, {65, 16}).cycles;
  }
  EXPECT_EQ(even - arrival, 22U + 12288U) << "256 bytes a cycle";
  EXPECT_EQ(odd - arrival, 22U + 13824U) << "chunks do not slow each other down";
  const statistics_of counted(test.memory.chunks[0]);
  EXPECT_EQ(counted["reads"], 1536U);
  EXPECT_EQ(counted["busy_cycles"], 12288U);
  EXPECT_EQ(counted["bytes_read"], 1536U * 2048U);
}

/// Four columns of one lane, as a refill of four pixels copies them: 16 bytes, which span 388.
TEST(tensor_memory, counts_the_bytes_that_move_and_not_what_they_span) {
  bench test;
  std::array<unsigned char, column_bytes> one_lane{};
  std::fill_n(one_lane.begin(), cell_bytes, static_cast<unsigned char>(TLM_BYTE_ENABLED));
  const auto access = [&](monitored_peer& from, tlm::tlm_command command, std::uint64_t address) {
    auto& payload = test.requests.payload(command, address, 3 * column_bytes + cell_bytes);
    payload.set_byte_enable_ptr(one_lane.data());
    payload.set_byte_enable_length(column_bytes);
    test.requests.send(from, payload, arrival);
    payload.release();
  };
  access(test.engine, tlm::TLM_WRITE_COMMAND, address_of({0, 8}));
  access(test.engine, tlm::TLM_READ_COMMAND, address_of({0, 8}));
  access(test.warps[0], tlm::TLM_WRITE_COMMAND, address_in_chunk({0, 8}));
  access(test.warps[0], tlm::TLM_READ_COMMAND, address_in_chunk({0, 8}));
  test.shift(8);
  const statistics_of counted(test.memory.chunks[0]);
  for (const char* const bytes : {"bytes_read", "bytes_written", "engine_bytes_read", "engine_bytes_written"})
    EXPECT_EQ(counted[bytes], 16U) << bytes;
  EXPECT_EQ(counted["bytes_shifted"], 8U * 31U * 4U) << "the last lane keeps its own";
}

TEST(tensor_memory, takes_the_order_of_registers_from_the_tag) {
  bench test(without_data);
  isa::tensor_access shape;
  shape.shape = isa::tensor_access_shape::lanes16_bits256;
  EXPECT_EQ(test.load(0, {0, 8}, &shape).cycles, arrival + 8 + 22);
  EXPECT_EQ(test.load(1, {0, 8}).cycles, arrival + 4 + 22);
  shape.packed = true;
  EXPECT_EQ(test.load(2, {0, 16}, &shape).cycles, arrival + 16 + 22);
}

TEST(tensor_memory, refuses_tags_that_do_not_fit) {
  bench test(without_data);
  isa::tensor_access shape;
  shape.repeat = 16;
  EXPECT_EQ(test.load(0, {0, 16}, &shape).status, tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(test.load(0, {0, 15}, &shape).status, tlm::TLM_GENERIC_ERROR_RESPONSE);
  for (unsigned repeat : {0U, 15U, 256U}) {
    shape.repeat = repeat;
    EXPECT_EQ(test.load(0, {0, std::max(repeat, 1U)}, &shape).status, tlm::TLM_GENERIC_ERROR_RESPONSE) << repeat;
  }
  EXPECT_EQ(statistics_of(test.memory.chunks[0])["reads"], 1U);
}

TEST(tensor_memory, gives_loads_and_stores_of_a_chunk_one_path) {
  bench test;
  const auto transport = [&test](auto& from, bool is_read, unsigned address) {
    return (is_read ? test.requests.read(from, address, 1024, arrival) : test.requests.write(from, address, 1024, arrival)).cycles;
  };
  EXPECT_EQ(transport(test.warps[2], true, 0), arrival + 4 + 22);
  EXPECT_EQ(transport(test.warps[2], false, 0), arrival + 8 + 22);
  EXPECT_EQ(transport(test.warps[3], false, 0), arrival + 4 + 22) << "another chunk";
  EXPECT_EQ(transport(test.engine, true, 2 * chunk_bytes), arrival + 4) << "paths of its own";
  EXPECT_EQ(transport(test.engine, false, 2 * chunk_bytes), arrival + 4);
  EXPECT_EQ(transport(test.engine, false, 2 * chunk_bytes), arrival + 8);
  EXPECT_EQ(statistics_of(test.memory.chunks[2])["wait_cycles"], 4U);
  EXPECT_EQ(statistics_of(test.memory.chunks[2])["engine_write_cycles"], 8U);
}

TEST(tensor_memory, keeps_cells_where_every_link_finds_them) {
  bench test;
  const isa::tensor_address cell{96, 40};
  const std::uint32_t value = 0xcafe;
  std::memcpy(test.requests.data.data(), &value, sizeof value);
  EXPECT_EQ(test.requests.write(test.warps[3], address_in_chunk(cell), cell_bytes).status, tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(test.get(cell), value);
  test.requests.data.fill(0);
  EXPECT_EQ(test.requests.read(test.engine, address_of(cell), cell_bytes).status, tlm::TLM_OK_RESPONSE);
  std::uint32_t read = 0;
  std::memcpy(&read, test.requests.data.data(), sizeof read);
  EXPECT_EQ(read, value);
}

TEST(tensor_memory, answers_with_an_error_outside) {
  bench test([](auto& p) { p.memory.columns = 64; });
  const unsigned end = 64 * column_bytes;
  EXPECT_EQ(test.requests.read(test.warps[0], end - 4, 4).status, tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(test.requests.read(test.warps[0], end - 4, 8).status, tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(test.requests.read(test.warps[0], 2, 4).status, tlm::TLM_ADDRESS_ERROR_RESPONSE) << "not a cell";
  EXPECT_EQ(test.requests.read(test.warps[0], 0, 6).status, tlm::TLM_BURST_ERROR_RESPONSE);
  EXPECT_EQ(test.requests.read(test.engine, chunk_bytes + end - 4, 4).status, tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(test.requests.write(test.engine, chunk_bytes + end, 4).status, tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(test.requests.write(test.engine, tensor_bytes, 4).status, tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(test.shift(57).complete.status, tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(test.shift(56).complete.status, tlm::TLM_OK_RESPONSE);

  auto& payload = test.requests.payload(tlm::TLM_READ_COMMAND, end, 4);
  EXPECT_EQ(test.engine.peer.socket->transport_dbg(payload), 0U);
  EXPECT_EQ(test.warps[0].peer.socket->transport_dbg(payload), 0U);
  payload.set_address(end - 4);
  EXPECT_EQ(test.warps[0].peer.socket->transport_dbg(payload), 4U);
  payload.release();
}

TEST(tensor_memory, keeps_accesses_of_the_tensor_core_within_a_chunk) {
  bench test;
  EXPECT_EQ(test.requests.read(test.engine, chunk_bytes - 4, 8).status, tlm::TLM_ADDRESS_ERROR_RESPONSE);
}

TEST(tensor_memory, tells_which_cells_are_undefined) {
  bench test;
  const auto undefined_lanes = [&test](unsigned column) {
    auto& payload = test.requests.payload(tlm::TLM_READ_COMMAND, address_in_chunk({0, column}), 4 * cell_bytes);
    fabric::undefined_bytes& undefined = fabric::undefined_bytes::of(payload);
    undefined.any = false;
    test.requests.send(test.warps[1], payload, arrival);
    unsigned lanes = 0;
    for (unsigned lane = 0; undefined.any && lane < 4; ++lane) lanes |= undefined.flags[lane * cell_bytes] != 0 ? 1U << lane : 0U;
    payload.release();
    return lanes;
  };
  test.requests.write(test.warps[1], address_in_chunk({2, 9}), 2 * cell_bytes);
  EXPECT_EQ(undefined_lanes(9), 0b0011U);
  test.shift(8);
  EXPECT_EQ(undefined_lanes(9), 0b1001U) << "what was undefined moves, too";

  auto& payload = test.requests.payload(tlm::TLM_IGNORE_COMMAND, 0, 0);
  auto* const region = new fabric::new_region;
  region->base = address_of({34, 9});
  region->bytes = chunk_bytes;  // and some of the next chunk
  payload.set_auto_extension(region);
  test.requests.send(test.engine, payload, arrival);
  EXPECT_TRUE(region->noted);
  payload.release();
  EXPECT_EQ(undefined_lanes(9), 0b1101U);
}

TEST(tensor_memory, is_as_new_after_reset) {
  bench test;
  test.fill({0, 8});
  test.shift(0);
  test.requests.write(test.warps[0], 0, 1024);
  test.memory.reset();
  EXPECT_EQ(test.get({3, 3}), 0U);
  for (const char* name : {"shifts", "shift_cycles"}) EXPECT_EQ(statistics_of(test.memory)[name], 0U) << name;
  for (const char* name :
       {"reads", "writes", "busy_cycles", "wait_cycles", "engine_read_cycles", "engine_write_cycles", "bytes_read", "bytes_written"})
    EXPECT_EQ(statistics_of(test.memory.chunks[0])[name], 0U) << name;
  EXPECT_EQ(test.requests.read(test.warps[0], 0, 1024).cycles, arrival + 4 + 22);
  EXPECT_EQ(test.shift(0).moved, arrival + 12);
}

TEST(tensor_memory, without_data_only_takes_time) {
  bench test(without_data);
  test.requests.data[0] = 0x77;
  EXPECT_EQ(test.requests.read(test.warps[0], 0, 1024).cycles, arrival + 4 + 22);
  EXPECT_EQ(test.requests.data[0], 0x77);
}

}  // namespace
}  // namespace tc::tmem::tensor_memory_test
