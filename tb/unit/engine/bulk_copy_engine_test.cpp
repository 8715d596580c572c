// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstring>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <tc/engine/barrier_unit.hpp>
#include <tc/engine/bulk_copy_engine.hpp>
#include <tc/fabric/base_protocol_monitor.hpp>
#include <tc/fabric/dataflow_monitors.hpp>
#include <tc/fabric/reports.hpp>
#include <tc/memory/global_memory.hpp>
#include <tc/memory/shared_memory.hpp>
#include <tc/memory/shared_memory_adapter.hpp>

#include "bulk_peer.hpp"
#include "engine_bench.hpp"
#include "fabric/scripted_peers.hpp"
#include "shared_memory_peer.hpp"
#include "stand_ins/plain_memory.hpp"
#include "statistics_of.hpp"

namespace tc::engine::bulk_copy_engine_test {
namespace {

using isa::barrier_action;

constexpr std::uint64_t tensor_base = 0x100000;
constexpr unsigned tensor_bytes = 1 << 16;
constexpr std::uint32_t window = 0x400, window_bytes = 0x8000, object = 8;  // the object's address in the window

/// The engine between 32 KiB of a CTA's shared memory and 64 KiB of random bytes in global memory, with a barrier unit.
struct bench {
  explicit bench(bool data = true, bool caches = false)
      : global("global", {global_params(caches), 1, data}, clock),
        shared("shared", shared_params(data)),
        barriers("barriers", {{}, data}, clock),
        engine("engine", params(data), clock) {
    bytes.resize(tensor_bytes);
    std::mt19937 random(1);
    for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random());
    global.add_region(tensor_base, tensor_bytes,
                      [this](std::uint64_t offset, std::uint8_t* to, std::size_t count) { std::copy_n(&bytes[offset], count, to); });
    warp.shared_base = window;
    warp.shared_bytes = window_bytes;
    code.text = "cp.async.bulk";
    engine.global.bind(global_monitor.target);
    global_monitor.initiator.bind(global.port);
    engine.shared.bind(shared_monitor.target);
    shared_monitor.initiator.bind(shared.port);
    engine.barrier.bind(barriers.barrier);
    engine.observer.bind(peer);
    barriers.shared.bind(shared.port);
    reader.link.bind(shared.port);
    global_reader.socket.bind(global.port);
    peer.socket.bind(engine.bulk_copy);
    warps.socket.bind(barriers.barrier);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
    run(barrier_action::initialise);
  }

  static config::global_memory_parameters global_params(bool caches) {
    config::global_memory_parameters p;
    p.hierarchy.enabled = caches;
    return p;
  }
  static memory::shared_memory::params shared_params(bool data) {
    memory::shared_memory::params p;
    p.memory.bytes = window + window_bytes;
    p.data = data;
    return p;
  }
  static bulk_copy_engine::params params(bool data) {
    bulk_copy_engine::params p;
    p.engine.requests_in_flight = 32;
    p.engine.load = {20, 10, 64, 4};
    p.engine.store = {20, 10, 32, 6};
    p.data = data;
    return p;
  }

  links::barrier_transfer run(barrier_action action, std::uint32_t count = 1, std::uint32_t bytes_expected = 0) {
    links::barrier_transfer request = test::barrier_request(action, window + object, count, bytes_expected);
    EXPECT_TRUE(warps.send(request).in_call);
    return request;
  }

  void begin(const isa::bulk_copy_operation& copy, const isa::tensor_map* map = nullptr) {
    links::bulk_copy_transfer what;
    what.copy = &copy;
    what.map = map;
    what.warp = &warp;
    what.code = &code;
    what.line = 12;
    what.owner = &peer;
    peer.send(what);
  }

  /// Copies to shared memory and waits on the mbarrier; the cycles until the wait is over.
  std::uint64_t load(isa::bulk_copy_operation copy, std::uint64_t counted, const isa::tensor_map* map = nullptr) {
    copy.barrier = object;
    run(barrier_action::arrive_expect, 1, static_cast<std::uint32_t>(counted));
    const std::uint64_t start = clock.cycle();
    begin(copy, map);
    links::barrier_transfer wait = test::barrier_request(barrier_action::wait, window + object);
    wait.parity = (loads_++ % 2) != 0;
    const std::size_t before = warps.late.size();
    EXPECT_FALSE(warps.send(wait).in_call);
    sc_core::sc_start(20, sc_core::SC_US);
    EXPECT_EQ(warps.late.size(), before + 1) << "the mbarrier has not counted all bytes";
    EXPECT_TRUE(engine.idle());
    return warps.late.empty() ? 0 : warps.late.back().cycle - start;
  }

  /// Copies to global memory, and waits.
  void store(const isa::bulk_copy_operation& copy, const isa::tensor_map* map = nullptr) {
    begin(copy, map);
    sc_core::sc_start(20, sc_core::SC_US);
    EXPECT_TRUE(engine.idle());
  }

  std::vector<unsigned char> look(fabric::scripted_initiator& at, std::uint64_t address, unsigned count) {
    std::vector<unsigned char> data(count);
    tlm::tlm_generic_payload payload;
    fabric::set_attributes(payload, tlm::TLM_READ_COMMAND, address, data.data(), count);
    EXPECT_EQ(at.socket->transport_dbg(payload), count);
    return data;
  }
  std::vector<unsigned char> look(tc::test::shared_memory_peer& at, std::uint64_t address, unsigned count) {
    std::vector<unsigned char> data(count);
    EXPECT_TRUE(at.link.read(links::memory_user::outside, address, data.data(), count));
    return data;
  }
  void fill_shared(std::uint32_t address, const std::vector<unsigned char>& data) {
    EXPECT_TRUE(reader.link.write(links::memory_user::outside, window + address, data.data(), data.size()));
  }

  fabric::clock_domain clock{"clock", sc_core::sc_time(1, sc_core::SC_NS)};
  std::vector<std::uint8_t> bytes;
  memory::global_memory global;
  memory::shared_memory shared;
  barrier_unit barriers;
  bulk_copy_engine engine;
  fabric::base_protocol_monitor<> global_monitor{"global_monitor"};
  fabric::request_monitor<links::shared_memory_protocol> shared_monitor{"shared_monitor"};
  tc::test::shared_memory_peer reader{"reader"};
  fabric::scripted_initiator global_reader{"global_reader"};
  bulk_peer peer{"peer", clock};
  test::barrier_peer warps{"warps", clock};
  warp::warp_context warp;
  isa::instruction code;

 private:
  unsigned loads_ = 0;
};

isa::bulk_copy_operation linear(bool to_shared, std::uint32_t shared, std::uint32_t bytes, std::uint64_t global = tensor_base) {
  isa::bulk_copy_operation copy;
  copy.to_shared = to_shared;
  copy.shared = shared;
  copy.global = global;
  copy.bytes = bytes;
  return copy;
}

/// 60 x 20 x 5 elements of two bytes; a box of 32 x 6 x 2.
isa::tensor_map tensor(isa::swizzle_mode swizzle) {
  isa::tensor_map map;
  map.rank = 3;
  map.element_bytes = 2;
  map.base = tensor_base + 64;
  map.sizes = {60, 20, 5};
  map.strides_bytes = {2, 128, 128 * 20};
  map.box = {32, 6, 2};
  map.swizzle = swizzle;
  return map;
}

isa::bulk_copy_operation tile(bool to_shared, std::array<std::int32_t, 5> coordinates) {
  isa::bulk_copy_operation copy;
  copy.to_shared = to_shared;
  copy.tensor = true;
  copy.rank = 3;
  copy.shared = 0x800;
  copy.coordinates = coordinates;
  return copy;
}

/// Calls visit(address in the window, offset in global memory or none) for each byte of a box.
template <class Visitor>
void for_each_byte(const isa::bulk_copy_operation& copy, const isa::tensor_map& map, Visitor&& visit) {
  copy_walk walk(copy, &map, 128);
  for (copy_piece piece; walk.next(piece);)
    for (std::uint32_t i = 0; i < piece.bytes; ++i)
      visit(isa::swizzle_address(copy.shared + piece.shared + i, map.swizzle), piece.inside ? piece.global + i - tensor_base : ~0ULL,
            (piece.shared + i) % map.element_bytes == map.element_bytes - 1);
}

TEST(bulk_copy_engine, copies_a_line_of_bytes_both_ways) {
  bench test;
  test.load(linear(true, 0x100, 1040, tensor_base + 48), 1040);
  const auto arrived = test.look(test.reader, window + 0x100, 1040);
  EXPECT_TRUE(std::equal(arrived.begin(), arrived.end(), &test.bytes[48]));
  test.store(linear(false, 0x110, 512, tensor_base + 0x8000));
  EXPECT_EQ(test.look(test.global_reader, tensor_base + 0x8000, 512),
            (std::vector<unsigned char>(arrived.begin() + 16, arrived.begin() + 16 + 512)));
  EXPECT_GT(test.peer.read, 0U);
  EXPECT_GT(test.peer.complete, test.peer.read) << "on its way to global memory after it was read";
  const statistics_of counted(test.engine);
  EXPECT_EQ(counted["copies"], 2U);
  EXPECT_EQ(counted["bytes_to_shared"], 1040U);
  EXPECT_EQ(counted["bytes_to_global"], 512U);
  EXPECT_TRUE(test.peer.findings.empty());
  test.global_monitor.check_end();
}

TEST(bulk_copy_engine, leaves_the_l1_cache_alone) {
  bench test(true, true);
  const std::uint64_t cold = test.load(linear(true, 0x100, 256), 256);
  EXPECT_LT(test.load(linear(true, 0x100, 256), 256), cold) << "in the L2 cache";
  const statistics_of counted(test.global);
  EXPECT_EQ(counted["l1_hits"] + counted["l1_misses"], 0U);
  EXPECT_GT(counted["l2_misses"], 0U);
}

class swizzled_tile : public testing::TestWithParam<isa::swizzle_mode> {};

TEST_P(swizzled_tile, lies_in_shared_memory_as_the_map_says) {
  bench test;
  isa::tensor_map map = tensor(GetParam());
  if (map.swizzle != isa::swizzle_mode::none) map.box[0] = isa::row_bytes(map.swizzle) / 2;
  for (const bool fill_nan : {false, true}) {
    map.fill_nan = fill_nan;
    const isa::bulk_copy_operation copy = tile(true, {40, -2, 4});  // reaches over the tensor in each dimension
    test.load(copy, map.box_bytes(), &map);
    const auto memory = test.look(test.reader, window, window_bytes);
    unsigned outside = 0;
    for_each_byte(copy, map, [&](std::uint32_t address, std::uint64_t from, bool last) {
      const unsigned fill = fill_nan ? (last ? 0x7fU : 0xffU) : 0U;
      outside += from == ~0ULL ? 1 : 0;
      ASSERT_EQ(memory[address], from == ~0ULL ? fill : test.bytes[from]) << address;
    });
    EXPECT_GT(outside, 0U);
  }
}

TEST_P(swizzled_tile, goes_back_to_where_it_came_from) {
  bench test;
  isa::tensor_map map = tensor(GetParam());
  if (map.swizzle != isa::swizzle_mode::none) map.box[0] = isa::row_bytes(map.swizzle) / 2;
  const isa::bulk_copy_operation copy = tile(false, {-3, 15, 1});
  std::vector<unsigned char> pattern(window_bytes);
  for (unsigned i = 0; i < window_bytes; ++i) pattern[i] = static_cast<unsigned char>(i * 7 + i / 256);
  test.fill_shared(0, pattern);
  std::vector<unsigned char> expected(test.bytes.begin(), test.bytes.end());
  for_each_byte(copy, map, [&](std::uint32_t address, std::uint64_t to, bool) {
    if (to != ~0ULL) expected[to] = pattern[address];
  });
  test.store(copy, &map);
  EXPECT_EQ(test.look(test.global_reader, tensor_base, tensor_bytes), expected) << "nothing outside the tensor is touched";
}

INSTANTIATE_TEST_SUITE_P(modes, swizzled_tile,
                         testing::Values(isa::swizzle_mode::none, isa::swizzle_mode::bytes_32, isa::swizzle_mode::bytes_64,
                                         isa::swizzle_mode::bytes_128));

TEST(bulk_copy_engine, copies_columns_of_an_image) {
  bench test;
  isa::tensor_map map;
  map.im2col = true;
  map.rank = 4;
  map.element_bytes = 2;
  map.base = tensor_base;
  map.sizes = {64, 9, 7, 3};  // C, W, H, N
  map.strides_bytes = {2, 128, 128 * 9, 128 * 9 * 7};
  map.lower_corner = {-1, -1};
  map.upper_corner = {-1, -1};  // a filter of 3 x 3
  map.channels = 32;
  map.pixels = 70;
  map.swizzle = isa::swizzle_mode::bytes_64;
  isa::bulk_copy_operation copy = tile(true, {32, 4, 3, 1});
  copy.rank = 4;
  copy.im2col = true;
  copy.im2col_offsets = {2, 0};
  test.load(copy, map.box_bytes(), &map);
  const auto memory = test.look(test.reader, window, window_bytes);
  unsigned w = 4 + 1, h = 3 + 1, n = 1;  // positions of the filter, from its lowest one
  for (std::uint32_t pixel = 0; pixel < map.pixels; ++pixel) {
    const int column = static_cast<int>(w) - 1 + 2, row = static_cast<int>(h) - 1;
    const bool inside = column < 9 && row >= 0 && n < 3;
    for (std::uint32_t i = 0; i < 64; ++i) {
      const auto from = inside ? static_cast<std::size_t>(((static_cast<int>(n) * 7 + row) * 9 + column) * 128 + 64) + i : 0;
      ASSERT_EQ(memory[isa::swizzle_address(copy.shared + pixel * 64 + i, map.swizzle)], inside ? test.bytes[from] : 0) << pixel;
    }
    if (++w < 9) continue;
    w = 0;
    if (++h < 7) continue;
    h = 0;
    ++n;
  }
}

TEST(bulk_copy_engine, takes_longer_for_more_bytes_at_the_width_of_its_path) {
  bench test;
  std::uint64_t last = 0;
  for (const std::uint32_t bytes : {16U, 2048U, 4096U, 8192U, 16384U}) {
    const std::uint64_t cycles = test.load(linear(true, 0x100, bytes), bytes);
    EXPECT_GT(cycles, last) << bytes;
    if (bytes == 16384U) {
      EXPECT_NEAR(static_cast<double>(cycles - last), 8192 / 128.0 * 320 / 32, 100) << "32 requests in flight limit it";
    }
    last = cycles;
  }
  EXPECT_GT(last, 300U);
}

TEST(bulk_copy_engine, works_on_several_copies_at_a_time) {
  bench test;
  const isa::bulk_copy_operation first = linear(false, 0x100, 256), second = linear(false, 0x200, 256, tensor_base + 0x400);
  test.begin(first);
  test.begin(second);
  std::vector<std::string> lines;
  sc_core::sc_start(30, sc_core::SC_NS);
  test.engine.describe(lines);
  EXPECT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0].find("engine: line 12: cp.async.bulk: "), 0U) << lines[0];
  sc_core::sc_start(340, sc_core::SC_NS);
  EXPECT_TRUE(test.engine.idle()) << "not one latency after the other";
}

TEST(bulk_copy_engine, shuts_out_readers_of_what_is_on_its_way) {
  bench test;
  test.fill_shared(0x100, std::vector<unsigned char>(64));
  isa::bulk_copy_operation load = linear(true, 0x100, 64);
  load.barrier = object;
  test.begin(load);
  test.store(linear(false, 0x0f0, 64));
  EXPECT_EQ(test.peer.findings, (std::vector<std::string>{"arriving 256 line 12", "undefined 240"}));
}

TEST(bulk_copy_engine, names_the_instruction_of_a_bad_copy) {
  bench test;
  const auto error_of = [&test](const isa::bulk_copy_operation& copy) {
    try {
      test.begin(copy);
      sc_core::sc_start(2, sc_core::SC_US);
    } catch (const sc_core::sc_report& report) {
      return std::string(report.get_msg_type()) + " " + report.get_msg();
    }
    return std::string();
  };
  const std::string outside = error_of(linear(true, window_bytes - 16, 32));
  EXPECT_NE(outside.find(fabric::report::bulk_copy_window), std::string::npos) << outside;
  EXPECT_NE(outside.find("line 12: cp.async.bulk"), std::string::npos) << outside;
}

TEST(bulk_copy_engine, names_the_instruction_whose_address_does_not_exist) {
  bench test;
  const isa::bulk_copy_operation copy = linear(true, 0, 64, 0x5000);
  test.begin(copy);
  try {
    sc_core::sc_start(2, sc_core::SC_US);
    FAIL() << "no report";
  } catch (const sc_core::sc_report& report) {
    EXPECT_STREQ(report.get_msg_type(), fabric::report::bulk_copy_memory);
    EXPECT_NE(std::string(report.get_msg()).find("line 12: cp.async.bulk"), std::string::npos) << report.get_msg();
  }
}

TEST(bulk_copy_engine, names_the_instruction_whose_mbarrier_is_none) {
  bench test;
  isa::bulk_copy_operation copy = linear(true, 0, 64);
  copy.barrier = 0x40;
  test.begin(copy);
  try {
    sc_core::sc_start(2, sc_core::SC_US);
    FAIL() << "no report";
  } catch (const sc_core::sc_report& report) {
    EXPECT_STREQ(report.get_msg_type(), fabric::report::bulk_copy_barrier);
    EXPECT_NE(std::string(report.get_msg()).find("0x40 is not initialised"), std::string::npos) << report.get_msg();
  }
}

class timing : public testing::TestWithParam<bool> {};

/// Arrival after 1 cycle and start after 20; the last row inside the tensor is the ninth piece, 8 cycles behind the first; 300 cycles of
/// global memory, a wavefront, 4 cycles to the mbarrier, and its time to wake the warp.
TEST_P(timing, is_the_sum_of_the_steps_with_data_and_without) {
  isa::tensor_map map = tensor(isa::swizzle_mode::bytes_64);
  const isa::bulk_copy_operation copy = tile(true, {40, -2, 4});
  bench test(GetParam());
  const std::uint64_t start = test.clock.cycle();
  EXPECT_EQ(test.load(copy, map.box_bytes(), &map), 1U + 20 + 8 + 300 + 1 + 4 + config::barrier_unit_parameters{}.wake_cycles);
  EXPECT_EQ(test.peer.complete - start, 1U + 20 + 8 + 300 + 1 + 4 + config::barrier_unit_parameters{}.access_cycles)
      << "who asked for it is told when the mbarrier knows";
}

/// Out of shared memory go 32 bytes a cycle: 32 pieces begin 4 cycles apart, and each is written in the cycle after it was read.
TEST_P(timing, of_a_copy_out_ends_when_the_last_byte_has_left) {
  bench test(GetParam());
  const std::uint64_t start = test.clock.cycle();
  test.store(linear(false, 0x400, 4096));
  const std::uint64_t read = test.peer.read - start;
  EXPECT_NEAR(static_cast<double>(read), 1 + 20 + 31 * 4, 4);
  EXPECT_NEAR(static_cast<double>(test.peer.complete - test.peer.read), 6, 1) << "not 300 cycles of global memory later";
}

TEST_P(timing, of_copies_begins_one_after_the_other) {
  bench test(GetParam());
  const auto last_of = [&test](unsigned copies) {
    const std::vector<isa::bulk_copy_operation> all(copies, linear(false, 0x400, 16));
    const std::uint64_t start = test.clock.cycle();
    for (const auto& each : all) test.begin(each);
    sc_core::sc_start(2, sc_core::SC_US);
    return test.peer.complete - start;
  };
  const std::uint64_t one = last_of(1);
  EXPECT_EQ(last_of(5), one + 4 * 10);
}

INSTANTIATE_TEST_SUITE_P(bulk_copy_engine, timing, testing::Bool());

TEST(byte_path, fills_cycles_of_transfers_that_follow_at_once) {
  byte_path path(96);
  EXPECT_EQ(path.take(10, 128), 1U);
  EXPECT_EQ(path.take(path.next(), 128), 1U);
  EXPECT_EQ(path.take(path.next(), 128), 2U) << "384 bytes in 4 cycles";
  EXPECT_EQ(path.next(), 14U);
  EXPECT_EQ(path.take(14, 64), 0U);
  EXPECT_EQ(path.take(20, 64), 0U) << "what was left over in cycle 14 is gone";
}

/// Memories of other make, whatever way of answering they have.
class foreign_memories : public testing::TestWithParam<stand_ins::answer_style> {};

TEST_P(foreign_memories, serve_too) {
  fabric::clock_domain clock("clock", sc_core::sc_time(1, sc_core::SC_NS));
  stand_ins::plain_memory::params other;
  other.style = GetParam();
  other.ports = 3;
  std::mt19937 random(3);
  other.latency = [&random](const auto&) { return sc_core::sc_time(static_cast<double>(10 + random() % 50), sc_core::SC_NS); };
  stand_ins::plain_memory memory("memory", other);  // both of them
  bulk_copy_engine engine("engine", bench::params(true), clock);
  fabric::base_protocol_monitor<> global("global"), shared("shared");
  bulk_peer peer("peer", clock);
  engine.global.bind(global.target);
  global.initiator.bind(memory.port[0].socket);
  memory::shared_memory_adapter adapter("adapter", true, clock), barrier_adapter("barrier_adapter", true, clock);
  engine.shared.bind(adapter.port);
  adapter.memory.bind(shared.target);
  shared.initiator.bind(memory.port[1].socket);
  peer.socket.bind(engine.bulk_copy);
  barrier_unit barriers("barriers", {}, clock);
  engine.barrier.bind(barriers.barrier);
  barriers.shared.bind(barrier_adapter.port);
  barrier_adapter.memory.bind(memory.port[2].socket);
  warp::warp_context warp;
  warp.shared_bytes = window_bytes;
  std::vector<unsigned char> pattern(4096);
  for (unsigned i = 0; i < pattern.size(); ++i) pattern[i] = static_cast<unsigned char>(i * 5 + i / 128);
  tlm::tlm_generic_payload payload;
  fabric::set_attributes(payload, tlm::TLM_WRITE_COMMAND, 0x200, pattern.data(), 4096);
  shared.initiator->transport_dbg(payload);

  const isa::bulk_copy_operation copy = linear(false, 0x200, 4096, tensor_base);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  links::bulk_copy_transfer what;
  what.copy = &copy;
  what.warp = &warp;
  what.owner = &peer;
  peer.send(what);
  sc_core::sc_start(50, sc_core::SC_US);
  EXPECT_TRUE(engine.idle());
  EXPECT_GT(peer.complete, peer.read);
  std::vector<unsigned char> written(4096);
  fabric::set_attributes(payload, tlm::TLM_READ_COMMAND, tensor_base, written.data(), 4096);
  global.initiator->transport_dbg(payload);
  EXPECT_EQ(written, pattern);
  global.check_end();
  shared.check_end();
}

INSTANTIATE_TEST_SUITE_P(answers, foreign_memories,
                         testing::Values(stand_ins::answer_style::completed, stand_ins::answer_style::updated_begin_response,
                                         stand_ins::answer_style::accepted, stand_ins::answer_style::accepted_skips_end_request,
                                         stand_ins::answer_style::random));

}  // namespace
}  // namespace tc::engine::bulk_copy_engine_test
