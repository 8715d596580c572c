// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include <tc/fabric/dataflow_monitors.hpp>
#include <tc/links/link_binder.hpp>
#include <tc/subcore/operands/bank_adapter.hpp>
#include <tc/subcore/operands/register_bank.hpp>

#include "stand_ins/plain_memory.hpp"
#include "statistics_of.hpp"

namespace register_bank_test {

namespace {

using namespace tc;
using subcore::bank_adapter;
using subcore::register_bank;
using warp::lane_vector;

/// What a bank is asked, and when.
struct request {
  fabric::cycle_t cycle;
  tlm::tlm_command command;
  unsigned row, rows;
  fabric::cycle_t delay_cycles = 0;  ///< until it arrives
  std::uint32_t value = 0, lanes = 0xffffffffu;
  fabric::cycle_t bypass_cycles = 0;
};
struct outcome {
  fabric::cycle_t valid = 0;
  std::vector<std::uint32_t> lane_0, lane_31;
  tlm::tlm_response_status status = tlm::TLM_INCOMPLETE_RESPONSE;
};

/// Drives a bank in chosen cycles, with monitors on its links.
class bank_bench : public sc_core::sc_module, public fabric::clocked {
 public:
  explicit bank_bench(const sc_core::sc_module_name& module_name)
      : sc_module(module_name), clock("clock", sc_core::sc_time(1, sc_core::SC_NS)), id_(clock.add(*this)) {
    read.bind(read_monitor.target);
    write.bind(write_monitor.target);
    for (auto* link : {&read, &write}) link->register_nb_transport_bw(this, &bank_bench::answered);
  }

  /// For the next start of simulation.
  void prepare(const std::vector<request>& requests) {
    script_ = requests;
    if (!script_.empty()) clock.wake(id_, script_.front().cycle);
  }
  std::vector<outcome> outcomes() const {
    std::vector<outcome> all;
    for (const auto& each : asked_) all.push_back(each->result);
    return all;
  }
  std::vector<outcome> run(const std::vector<request>& requests) {
    prepare(requests);
    sc_core::sc_start();
    return outcomes();
  }

  /// The answer to one request on a link.
  tlm::tlm_response_status ask(links::bank_initiator<bank_bench>& link, tlm::tlm_command command, unsigned row, unsigned rows) {
    std::vector<lane_vector> values(rows);
    const links::row_range range{row, static_cast<std::uint8_t>(rows)};
    links::bank_transfer transfer;
    transfer.command = command;
    transfer.ranges = &range;
    transfer.range_count = 1;
    transfer.values = transfer.room = values.data();
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay;
    EXPECT_EQ(link->nb_transport_fw(transfer, phase, delay), tlm::TLM_COMPLETED);
    return transfer.status;
  }

  fabric::clock_domain clock;
  links::bank_initiator<bank_bench> read{"read"}, write{"write"};
  fabric::request_monitor<links::bank_protocol> read_monitor{"read_monitor"}, write_monitor{"write_monitor"};

  void evaluate(fabric::cycle_t cycle) override {
    while (next_ < script_.size() && script_[next_].cycle == cycle) send(script_[next_++]);
    if (next_ < script_.size()) clock.wake(id_, script_[next_].cycle);
  }

 private:
  struct asked_transfer final : links::bank_transfer {
    std::vector<lane_vector> lanes_of_rows;
    std::vector<const lane_vector*> places;
    std::vector<links::row_range> asked_ranges;
    outcome result;
  };

  void send(const request& r) {
    asked_transfer& transfer = *asked_.emplace_back(std::make_unique<asked_transfer>());
    transfer.lanes_of_rows.assign(r.rows, warp::broadcast(r.value));
    transfer.places.resize(r.rows);
    transfer.command = r.command;
    transfer.asked_ranges = ranges_of(r);
    transfer.ranges = transfer.asked_ranges.data();
    transfer.range_count = static_cast<std::uint32_t>(transfer.asked_ranges.size());
    transfer.arrival = r.cycle + r.delay_cycles;
    transfer.lanes = r.lanes;
    transfer.values = transfer.room = transfer.lanes_of_rows.data();
    if (asked_.size() % 2 != 0) transfer.found = transfer.places.data();
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay;
    auto& link = r.command == tlm::TLM_READ_COMMAND ? read : write;
    if (link->nb_transport_fw(transfer, phase, delay) != tlm::TLM_ACCEPTED) note(transfer);
  }

  /// Every third request comes row by row.
  std::vector<links::row_range> ranges_of(const request& r) const {
    const auto late = static_cast<std::uint8_t>(r.bypass_cycles);
    if (asked_.size() % 3 != 0) return {{r.row, static_cast<std::uint8_t>(r.rows), 0, late}};
    std::vector<links::row_range> ranges;
    for (unsigned i = 0; i < r.rows; ++i) ranges.push_back({r.row + i, 1, static_cast<std::uint8_t>(i), late});
    return ranges;
  }

  tlm::tlm_sync_enum answered(links::bank_transfer& transfer, tlm::tlm_phase&, sc_core::sc_time&) {
    note(static_cast<asked_transfer&>(transfer));
    return tlm::TLM_COMPLETED;
  }

  static void note(asked_transfer& transfer) {
    transfer.result.valid = transfer.done;
    transfer.result.status = transfer.status;
    if (transfer.command != tlm::TLM_READ_COMMAND || transfer.status != tlm::TLM_OK_RESPONSE) return;
    for (unsigned i = 0; i < transfer.lanes_of_rows.size(); ++i) {
      const lane_vector& row = transfer.found == nullptr ? transfer.room[i] : *transfer.found[i];
      transfer.result.lane_0.push_back(row[0]);
      transfer.result.lane_31.push_back(row[31]);
    }
  }

  std::size_t id_;
  std::vector<request> script_;
  std::size_t next_ = 0;
  std::vector<std::unique_ptr<asked_transfer>> asked_;
};

/// With a bank of the model's.
class own_bank_bench final : public bank_bench {
 public:
  own_bank_bench(const sc_core::sc_module_name& module_name, const register_bank::params& parameters)
      : bank_bench(module_name), bank("bank", parameters, clock) {
    read_monitor.initiator.bind(bank.read);
    write_monitor.initiator.bind(bank.write);
  }

  register_bank bank;
};

/// With a memory that speaks the base protocol and answers in some style.
class adapted_bank_bench final : public bank_bench {
 public:
  adapted_bank_bench(const sc_core::sc_module_name& module_name, stand_ins::plain_memory::params parameters)
      : bank_bench(module_name),
        memory("memory", with_two_ports(std::move(parameters))),
        adapter("adapter", {&memory.port[0].socket, &memory.port[1].socket}, clock, binder) {
    read_monitor.initiator.bind(adapter.read);
    write_monitor.initiator.bind(adapter.write);
  }

  links::link_binder binder;
  stand_ins::plain_memory memory;
  bank_adapter adapter;

 private:
  static stand_ins::plain_memory::params with_two_ports(stand_ins::plain_memory::params parameters) {
    parameters.ports = 2;
    return parameters;
  }
};

constexpr auto read_command = tlm::TLM_READ_COMMAND;
constexpr auto write_command = tlm::TLM_WRITE_COMMAND;

TEST(register_bank, reads_one_row_a_cycle_in_order_of_arrival) {
  own_bank_bench bench("bench", {16, 1});
  const auto outcomes = bench.run({{5, read_command, 0, 1}, {5, read_command, 1, 2}, {6, read_command, 3, 1}, {20, read_command, 0, 1}});
  ASSERT_EQ(outcomes.size(), 4u);
  EXPECT_EQ(outcomes[0].valid, 6u);
  EXPECT_EQ(outcomes[1].valid, 8u);
  EXPECT_EQ(outcomes[2].valid, 9u);
  EXPECT_EQ(outcomes[3].valid, 21u);
}

TEST(register_bank, second_port_halves_the_cycles) {
  own_bank_bench bench("bench", {16, 2});
  const auto outcomes = bench.run({{5, read_command, 0, 4}});
  EXPECT_EQ(outcomes.at(0).valid, 7u);
}

TEST(register_bank, result_under_way_is_seen_from_its_cycle_on) {
  own_bank_bench bench("bench", {16, 1});
  const auto outcomes =
      bench.run({{1, write_command, 2, 1, 0, 7}, {2, write_command, 2, 1, 10, 9}, {11, read_command, 2, 1}, {12, read_command, 2, 1}});
  EXPECT_EQ(outcomes.at(2).lane_0.at(0), 7u);
  EXPECT_EQ(outcomes.at(3).lane_0.at(0), 9u);
}

TEST(register_bank, shows_a_read_ahead_what_arrives_until_then_and_others_only_what_has_arrived) {
  own_bank_bench bench("bench", {16, 1});
  const auto outcomes = bench.run({{1, write_command, 2, 1, 0, 7},
                                   {2, write_command, 2, 1, 12, 11, 0x80000000u},
                                   {3, write_command, 2, 1, 9, 9},
                                   {3, write_command, 3, 1, 9, 8},
                                   {3, write_command, 2, 1, 30, 10},
                                   {4, read_command, 2, 1, 20},
                                   {5, read_command, 2, 1},
                                   {16, read_command, 2, 1}});
  const auto& ahead = outcomes.at(5);
  EXPECT_EQ(ahead.lane_0.at(0), 9u);
  EXPECT_EQ(ahead.lane_31.at(0), 11u);
  EXPECT_EQ(outcomes.at(6).lane_0.at(0), 7u);
  EXPECT_EQ(outcomes.at(6).lane_31.at(0), 7u);
  EXPECT_EQ(outcomes.at(7).lane_0.at(0), 9u);
  EXPECT_EQ(outcomes.at(7).lane_31.at(0), 11u);
}

TEST(register_bank, later_arrival_wins_whatever_the_order_of_the_calls) {
  own_bank_bench bench("bench", {16, 1});
  const auto outcomes = bench.run({{1, write_command, 2, 1, 9, 1}, {2, write_command, 2, 1, 3, 2}, {20, read_command, 2, 1}});
  EXPECT_EQ(outcomes.at(2).lane_0.at(0), 1u);
}

TEST(register_bank, of_writes_that_arrive_together_the_later_call_wins) {
  own_bank_bench bench("bench", {16, 1});
  const auto outcomes = bench.run({{1, write_command, 2, 1, 9, 1}, {4, write_command, 2, 1, 6, 2}, {20, read_command, 2, 1}});
  EXPECT_EQ(outcomes.at(2).lane_0.at(0), 2u);
}

TEST(register_bank, writes_only_enabled_lanes) {
  own_bank_bench bench("bench", {16, 1});
  const auto outcomes = bench.run({{1, write_command, 0, 1, 0, 5}, {2, write_command, 0, 1, 0, 6, 0x80000000u}, {4, read_command, 0, 1}});
  EXPECT_EQ(outcomes.at(2).lane_0.at(0), 5u);
  EXPECT_EQ(outcomes.at(2).lane_31.at(0), 6u);
}

TEST(register_bank, refuses_what_lies_outside) {
  own_bank_bench bench("bench", {16, 1});
  const auto outcomes = bench.run({{1, read_command, 15, 2}, {2, write_command, 16, 1}});
  EXPECT_EQ(outcomes.at(0).status, tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(outcomes.at(1).status, tlm::TLM_ADDRESS_ERROR_RESPONSE);
}

TEST(register_bank, refuses_what_a_link_does_not_do) {
  own_bank_bench bench("bench", {16, 1});
  bench.run({});
  EXPECT_EQ(bench.ask(bench.read, read_command, 0, 1), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(bench.ask(bench.write, write_command, 0, 1), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(bench.ask(bench.read, write_command, 0, 1), tlm::TLM_COMMAND_ERROR_RESPONSE);
  EXPECT_EQ(bench.ask(bench.write, read_command, 0, 1), tlm::TLM_COMMAND_ERROR_RESPONSE);
}

TEST(register_bank, counts_rows_and_the_cycles_of_its_port) {
  own_bank_bench bench("bench", {16, 1});
  bench.run({{1, write_command, 0, 3}, {5, read_command, 0, 2}, {6, read_command, 2, 1}});
  const statistics_of counted(bench.bank);
  EXPECT_EQ(counted["rows_written"], 3U);
  EXPECT_EQ(counted["rows_read"], 3U);
  EXPECT_EQ(counted["busy_cycles"], 3U);
  EXPECT_EQ(counted["read_wait_cycles"], 1U);
}

/// Whoever reads has booked the port.
TEST(register_bank, answers_on_arrival_if_it_does_not_queue) {
  own_bank_bench bench("bench", {16, 1, false});
  const auto outcomes = bench.run({{1, write_command, 1, 1, 0, 6}, {5, read_command, 0, 2}, {5, read_command, 1, 1, 2}});
  EXPECT_EQ(outcomes.at(1).valid, 5U);
  EXPECT_EQ(outcomes.at(2).valid, 7U);
  EXPECT_EQ(outcomes.at(2).lane_0.at(0), 6U);
  const statistics_of counted(bench.bank);
  EXPECT_EQ(counted["busy_cycles"], 3U);
  EXPECT_FALSE(counted.has("read_wait_cycles")) << "what no read can do is not counted";
}

TEST(register_bank, counts_nothing_where_no_values_move) {
  own_bank_bench bench("bench", {16, 1, false, false});
  bench.run({{1, write_command, 0, 3}});
  const statistics_of counted(bench.bank);
  for (const char* name : {"rows_read", "rows_written", "busy_cycles", "read_wait_cycles"}) EXPECT_FALSE(counted.has(name)) << name;
}

/// Rows that come in and out of order, whole and in some lanes, while others are read.
std::vector<request> random_requests(unsigned count) {
  std::mt19937 random(5);
  std::vector<request> requests;
  for (unsigned i = 0; i < count; ++i) {
    const auto next = [&](unsigned limit) { return static_cast<unsigned>(random() % limit); };
    request next_request{1 + i / 3, next(2) == 0 ? read_command : write_command, next(6), 1 + next(3)};
    next_request.delay_cycles = next(4) == 0 ? next(40) : 7;
    next_request.value = next(1000);
    if (next_request.command == write_command && next(3) == 0) next_request.lanes = static_cast<std::uint32_t>(random());
    requests.push_back(next_request);
  }
  return requests;
}

void expect_the_same(const std::vector<outcome>& some, const std::vector<outcome>& others) {
  ASSERT_EQ(some.size(), others.size());
  for (std::size_t i = 0; i < some.size(); ++i) {
    EXPECT_EQ(some[i].valid, others[i].valid) << "request " << i;
    EXPECT_EQ(some[i].lane_0, others[i].lane_0) << "request " << i;
    EXPECT_EQ(some[i].lane_31, others[i].lane_31) << "request " << i;
  }
}

/// Of a bank that has the values when a read arrives. A plain memory takes a request's effect when the request arrives, so reads come in
/// their cycle.
TEST(bank_adapter, makes_a_memory_do_what_the_models_bank_does) {
  std::vector<request> requests = random_requests(600);
  for (request& each : requests)
    if (each.command == read_command) each.delay_cycles = 0;
  own_bank_bench own("own", {16, 1, false});
  adapted_bank_bench adapted("adapted", {});
  own.prepare(requests);
  const std::vector<outcome> of_adapted = adapted.run(requests);
  expect_the_same(of_adapted, own.outcomes());
}

/// What is written until then is seen, and later reads without a bypass do not see it early.
const std::vector<request> bypassed{
    {1, write_command, 2, 1, 0, 7},        {2, write_command, 2, 1, 8, 9, 1}, {5, read_command, 2, 1, 0, 0, ~0U, 5},
    {5, read_command, 2, 1, 0, 0, ~0U, 4}, {6, read_command, 2, 1},           {10, read_command, 2, 1}};

TEST(register_bank, brings_what_the_bypass_network_has) {
  own_bank_bench bench("bench", {16, 1, false});
  const auto outcomes = bench.run(bypassed);
  EXPECT_EQ(outcomes.at(2).lane_0.at(0), 9U);
  EXPECT_EQ(outcomes.at(2).lane_31.at(0), 7U);
  EXPECT_EQ(outcomes.at(2).valid, 5U) << "the port is read when the read arrives";
  EXPECT_EQ(outcomes.at(3).lane_0.at(0), 7U);
  EXPECT_EQ(outcomes.at(4).lane_0.at(0), 7U);
  EXPECT_EQ(outcomes.at(5).lane_0.at(0), 9U);
}

TEST(bank_adapter, brings_what_the_bypass_network_has) {
  adapted_bank_bench adapted("adapted", {});
  own_bank_bench own("own", {16, 1, false});
  own.prepare(bypassed);
  const std::vector<outcome> of_adapted = adapted.run(bypassed);
  expect_the_same(of_adapted, own.outcomes());
}

TEST(bank_adapter, passes_on_what_a_bank_refuses) {
  stand_ins::plain_memory::params memory;
  memory.bytes = 4 * links::bank_protocol::row_bytes;
  adapted_bank_bench bench("bench", memory);
  const auto outcomes = bench.run({{1, read_command, 3, 1}, {2, read_command, 4, 1}, {3, write_command, 3, 2}});
  EXPECT_EQ(outcomes.at(0).status, tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(outcomes.at(1).status, tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(outcomes.at(2).status, tlm::TLM_ADDRESS_ERROR_RESPONSE);
}

TEST(bank_adapter, says_when_a_late_bank_has_answered) {
  stand_ins::plain_memory::params memory;
  memory.style = stand_ins::answer_style::accepted;
  memory.latency = [](const auto&) { return sc_core::sc_time(3, sc_core::SC_NS); };
  adapted_bank_bench bench("bench", memory);
  const auto outcomes = bench.run({{1, write_command, 2, 1, 4, 5}, {9, read_command, 2, 1}});
  EXPECT_EQ(outcomes.at(0).valid, 8U);
  EXPECT_EQ(outcomes.at(1).valid, 12U);
  EXPECT_EQ(outcomes.at(1).lane_0.at(0), 5U);
}

TEST(register_bank, writes_values_that_lie_apart) {
  own_bank_bench bench("bench", {16, 1});
  const std::vector<lane_vector> values{warp::broadcast(1), warp::broadcast(2), warp::broadcast(3)};
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  const links::row_range range{4, 2};
  links::bank_transfer transfer;
  transfer.command = write_command;
  transfer.ranges = &range;
  transfer.range_count = 1;
  transfer.values = values.data();
  transfer.stride = 2;
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay;
  EXPECT_EQ(bench.write->nb_transport_fw(transfer, phase, delay), tlm::TLM_COMPLETED);
  const auto outcomes = bench.run({{1, read_command, 4, 2}});
  EXPECT_EQ(outcomes.at(0).lane_0, (std::vector<std::uint32_t>{1, 3}));
}

TEST(register_bank, debug_access_sees_what_has_arrived) {
  own_bank_bench bench("bench", {16, 1});
  bench.run({{1, write_command, 3, 1, 0, 42}});
  lane_vector row{};
  links::row_range range{3, 1};
  links::bank_transfer transfer;
  transfer.ranges = &range;
  transfer.range_count = 1;
  transfer.room = &row;
  EXPECT_EQ(bench.write->transport_dbg(transfer), links::bank_protocol::row_bytes);
  EXPECT_EQ(row[0], 42u);
  EXPECT_EQ(row[31], 42u);
  range.row = 16;
  EXPECT_EQ(bench.write->transport_dbg(transfer), 0U);
}

}  // namespace

}  // namespace register_bank_test
