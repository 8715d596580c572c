// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <memory>
#include <ostream>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include <tc/fabric/base_protocol_initiator.hpp>
#include <tc/fabric/base_protocol_monitor.hpp>
#include <tc/fabric/payload_pool.hpp>
#include <tc/subcore/operands/register_bank.hpp>

#include "statistics_of.hpp"

namespace register_bank_test {

namespace {

using namespace tc;
using subcore::register_bank;
using warp::lane_vector;

/// Drives one bank in chosen cycles, with a monitor on both links, and one that is called in the same cycles.
class bank_bench final : public sc_core::sc_module, public fabric::clocked {
 public:
  bank_bench(const sc_core::sc_module_name& module_name, const register_bank::params& parameters)
      : sc_module(module_name),
        clock("clock", sc_core::sc_time(1, sc_core::SC_NS)),
        bank("bank", parameters, clock),
        called("called", parameters, clock),
        rows_(parameters.rows),
        id_(clock.add(*this)) {
    read.bind(read_monitor.target);
    read_monitor.initiator.bind(bank.read);
    write.bind(write_monitor.target);
    write_monitor.initiator.bind(bank.write);
  }

  struct request {
    fabric::cycle_t cycle;
    tlm::tlm_command command;
    unsigned row, rows;
    fabric::cycle_t delay_cycles = 0;
    std::uint32_t value = 0, lanes = 0xffffffffu;
  };
  struct outcome {
    fabric::cycle_t valid = 0;
    std::vector<std::uint32_t> lane_0, lane_31;
    tlm::tlm_response_status status = tlm::TLM_INCOMPLETE_RESPONSE;
  };

  std::vector<outcome> run(const std::vector<request>& requests) {
    script_ = requests;
    if (!script_.empty()) clock.wake(id_, script_.front().cycle);
    sc_core::sc_start();
    return outcomes_;
  }

  /// The answer to one request, of bytes instead of rows, on a link.
  tlm::tlm_response_status ask(fabric::base_protocol_initiator& link, tlm::tlm_command command, std::uint64_t address, unsigned bytes) {
    data_.assign(4, {});
    auto& payload = pool_.get();
    fabric::set_attributes(payload, command, address, reinterpret_cast<unsigned char*>(data_.data()), bytes);
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay;
    EXPECT_EQ(link->nb_transport_fw(payload, phase, delay), tlm::TLM_COMPLETED);
    const tlm::tlm_response_status status = payload.get_response_status();
    payload.release();
    return status;
  }

  fabric::clock_domain clock;
  register_bank bank, called;
  std::vector<outcome> by_calls;
  fabric::base_protocol_initiator read{"read", [this](auto& payload, const auto& delay) { done(payload, delay); }};
  fabric::base_protocol_initiator write{"write", [this](auto& payload, const auto& delay) { done(payload, delay); }};
  fabric::base_protocol_monitor<> read_monitor{"read_monitor"}, write_monitor{"write_monitor"};

  void evaluate(fabric::cycle_t cycle) override {
    while (next_ < script_.size() && script_[next_].cycle == cycle) send(script_[next_++]);
    if (next_ < script_.size()) clock.wake(id_, script_[next_].cycle);
  }
  void commit(fabric::cycle_t) override {}

 private:
  void send(const request& r) {
    data_.assign(r.rows, warp::broadcast(r.value));
    auto& payload = pool_.get();
    fabric::set_attributes(payload, r.command, std::uint64_t{r.row} * register_bank::row_bytes,
                           reinterpret_cast<unsigned char*>(data_.data()), r.rows * register_bank::row_bytes);
    if (r.lanes != 0xffffffffu) {
      for (unsigned byte = 0; byte < register_bank::row_bytes; ++byte)
        enables_[byte] = (r.lanes >> (byte / 4) & 1u) != 0 ? TLM_BYTE_ENABLED : TLM_BYTE_DISABLED;
      payload.set_byte_enable_ptr(enables_);
      payload.set_byte_enable_length(register_bank::row_bytes);
    }
    (r.command == tlm::TLM_READ_COMMAND ? read : write).send(payload, clock.period() * static_cast<double>(r.delay_cycles));
    call(r);
  }

  /// Who calls the bank asks for rows that there are.
  void call(const request& r) {
    if (r.row + r.rows > rows_) return;
    const fabric::cycle_t arrival = r.cycle + r.delay_cycles;
    data_.assign(r.rows, warp::broadcast(r.value));
    fabric::cycle_t valid = arrival;
    if (r.command == tlm::TLM_READ_COMMAND)
      valid = called.read_directly(r.row, r.rows, arrival, data_.data());
    else
      called.write_directly(r.row, r.rows, arrival, r.lanes, data_.data(), 1);
    by_calls.push_back(outcome_of(valid));
  }

  outcome outcome_of(fabric::cycle_t valid) const {
    outcome result;
    result.valid = valid;
    for (const auto& row : data_) {
      result.lane_0.push_back(row[0]);
      result.lane_31.push_back(row[31]);
    }
    return result;
  }

  void done(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay) {
    outcomes_.push_back(outcome_of((sc_core::sc_time_stamp() + delay).value() / clock.period().value()));
    outcomes_.back().status = payload.get_response_status();
    payload.release();
  }

  const unsigned rows_;
  std::size_t id_;
  fabric::payload_pool pool_;
  std::vector<request> script_;
  std::size_t next_ = 0;
  std::vector<lane_vector> data_;
  unsigned char enables_[register_bank::row_bytes] = {};
  std::vector<outcome> outcomes_;
};

constexpr auto read_command = tlm::TLM_READ_COMMAND;
constexpr auto write_command = tlm::TLM_WRITE_COMMAND;

TEST(register_bank, reads_one_row_a_cycle_in_order_of_arrival) {
  bank_bench bench("bench", {16, 1});
  const auto outcomes = bench.run({{5, read_command, 0, 1}, {5, read_command, 1, 2}, {6, read_command, 3, 1}, {20, read_command, 0, 1}});
  ASSERT_EQ(outcomes.size(), 4u);
  EXPECT_EQ(outcomes[0].valid, 6u);
  EXPECT_EQ(outcomes[1].valid, 8u);
  EXPECT_EQ(outcomes[2].valid, 9u);
  EXPECT_EQ(outcomes[3].valid, 21u);
}

TEST(register_bank, second_port_halves_the_cycles) {
  bank_bench bench("bench", {16, 2});
  const auto outcomes = bench.run({{5, read_command, 0, 4}});
  EXPECT_EQ(outcomes.at(0).valid, 7u);
}

TEST(register_bank, result_under_way_is_seen_from_its_cycle_on) {
  bank_bench bench("bench", {16, 1});
  const auto outcomes =
      bench.run({{1, write_command, 2, 1, 0, 7}, {2, write_command, 2, 1, 10, 9}, {11, read_command, 2, 1}, {12, read_command, 2, 1}});
  EXPECT_EQ(outcomes.at(2).lane_0.at(0), 7u);
  EXPECT_EQ(outcomes.at(3).lane_0.at(0), 9u);
}

TEST(register_bank, shows_a_read_ahead_what_arrives_until_then_and_others_only_what_has_arrived) {
  bank_bench bench("bench", {16, 1});
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
  bank_bench bench("bench", {16, 1});
  const auto outcomes = bench.run({{1, write_command, 2, 1, 9, 1}, {2, write_command, 2, 1, 3, 2}, {20, read_command, 2, 1}});
  EXPECT_EQ(outcomes.at(2).lane_0.at(0), 1u);
}

TEST(register_bank, of_writes_that_arrive_together_the_later_call_wins) {
  bank_bench bench("bench", {16, 1});
  const auto outcomes = bench.run({{1, write_command, 2, 1, 9, 1}, {4, write_command, 2, 1, 6, 2}, {20, read_command, 2, 1}});
  EXPECT_EQ(outcomes.at(2).lane_0.at(0), 2u);
}

TEST(register_bank, writes_only_enabled_lanes) {
  bank_bench bench("bench", {16, 1});
  const auto outcomes = bench.run({{1, write_command, 0, 1, 0, 5}, {2, write_command, 0, 1, 0, 6, 0x80000000u}, {4, read_command, 0, 1}});
  EXPECT_EQ(outcomes.at(2).lane_0.at(0), 5u);
  EXPECT_EQ(outcomes.at(2).lane_31.at(0), 6u);
}

TEST(register_bank, refuses_what_lies_outside) {
  bank_bench bench("bench", {16, 1});
  const auto outcomes = bench.run({{1, read_command, 15, 2}, {2, write_command, 16, 1}});
  EXPECT_EQ(outcomes.at(0).status, tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(outcomes.at(1).status, tlm::TLM_ADDRESS_ERROR_RESPONSE);
}

TEST(register_bank, refuses_what_is_no_row) {
  bank_bench bench("bench", {16, 1});
  bench.run({});
  for (auto* link : {&bench.read, &bench.write}) {
    const tlm::tlm_command command = link == &bench.read ? read_command : write_command;
    EXPECT_EQ(bench.ask(*link, command, 0, 128), tlm::TLM_OK_RESPONSE);
    EXPECT_NE(bench.ask(*link, command, 4, 128), tlm::TLM_OK_RESPONSE) << "begins in a row";
    EXPECT_NE(bench.ask(*link, command, 0, 192), tlm::TLM_OK_RESPONSE) << "ends in a row";
  }
  EXPECT_EQ(bench.ask(bench.read, write_command, 0, 128), tlm::TLM_COMMAND_ERROR_RESPONSE);
  EXPECT_EQ(bench.ask(bench.write, read_command, 0, 128), tlm::TLM_COMMAND_ERROR_RESPONSE);
}

TEST(register_bank, counts_rows_and_the_cycles_of_its_port) {
  bank_bench bench("bench", {16, 1});
  bench.run({{1, write_command, 0, 3}, {5, read_command, 0, 2}, {6, read_command, 2, 1}});
  const statistics_of counted(bench.bank);
  EXPECT_EQ(counted["rows_written"], 3U);
  EXPECT_EQ(counted["rows_read"], 3U);
  EXPECT_EQ(counted["busy_cycles"], 3U);
  EXPECT_EQ(counted["read_wait_cycles"], 1U);
}

/// Whoever reads has booked the port.
TEST(register_bank, answers_on_arrival_if_it_does_not_queue) {
  bank_bench bench("bench", {16, 1, false});
  const auto outcomes = bench.run({{1, write_command, 1, 1, 0, 6}, {5, read_command, 0, 2}, {5, read_command, 1, 1, 2}});
  EXPECT_EQ(outcomes.at(1).valid, 5U);
  EXPECT_EQ(outcomes.at(2).valid, 7U);
  EXPECT_EQ(outcomes.at(2).lane_0.at(0), 6U);
  const statistics_of counted(bench.bank);
  EXPECT_EQ(counted["busy_cycles"], 3U);
  EXPECT_FALSE(counted.has("read_wait_cycles")) << "what no read can do is not counted";
}

TEST(register_bank, counts_nothing_where_no_values_move) {
  bank_bench bench("bench", {16, 1, false, false});
  bench.run({{1, write_command, 0, 3}});
  const statistics_of counted(bench.bank);
  for (const char* name : {"rows_read", "rows_written", "busy_cycles", "read_wait_cycles"}) EXPECT_FALSE(counted.has(name)) << name;
}

struct bank_case {
  const char* name;
  register_bank::params parameters;
};
void PrintTo(const bank_case& bank, std::ostream* out) { *out << bank.name; }

class called_bank : public testing::TestWithParam<bank_case> {};

/// Rows that come in and out of order, whole and in some lanes, while others are read.
std::vector<bank_bench::request> random_requests(unsigned count) {
  std::mt19937 random(5);
  std::vector<bank_bench::request> requests;
  for (unsigned i = 0; i < count; ++i) {
    const auto next = [&](unsigned limit) { return static_cast<unsigned>(random() % limit); };
    bank_bench::request request{1 + i / 3, next(2) == 0 ? read_command : write_command, next(6), 1 + next(3)};
    request.delay_cycles = next(4) == 0 ? next(40) : 7;
    request.value = next(1000);
    if (request.command == write_command && next(3) == 0) request.lanes = static_cast<std::uint32_t>(random());
    requests.push_back(request);
  }
  return requests;
}

TEST_P(called_bank, does_what_transactions_do) {
  bank_bench bench("bench", GetParam().parameters);
  const auto by_transactions = bench.run(random_requests(600));
  ASSERT_EQ(by_transactions.size(), bench.by_calls.size());
  for (std::size_t i = 0; i < by_transactions.size(); ++i) {
    EXPECT_EQ(bench.by_calls[i].valid, by_transactions[i].valid) << "request " << i;
    EXPECT_EQ(bench.by_calls[i].lane_0, by_transactions[i].lane_0) << "request " << i;
    EXPECT_EQ(bench.by_calls[i].lane_31, by_transactions[i].lane_31) << "request " << i;
  }
  const statistics_of counted(bench.bank), counted_of_called(bench.called);
  for (const char* name : {"rows_read", "rows_written", "busy_cycles"}) EXPECT_EQ(counted_of_called[name], counted[name]) << name;
  if (GetParam().parameters.queues_reads) {
    EXPECT_EQ(counted_of_called["read_wait_cycles"], counted["read_wait_cycles"]);
  }
}

INSTANTIATE_TEST_SUITE_P(register_bank, called_bank,
                         testing::Values(bank_case{"one_port", {16, 1}}, bank_case{"two_ports", {16, 2}},
                                         bank_case{"booked_ports", {16, 1, false}}),
                         [](const auto& bank) { return bank.param.name; });

TEST(register_bank, writes_values_that_lie_apart) {
  bank_bench bench("bench", {16, 1});
  const std::vector<lane_vector> values{warp::broadcast(1), warp::broadcast(2), warp::broadcast(3)};
  bench.bank.write_directly(4, 2, 0, register_bank::all_lanes, values.data(), 2);
  const auto outcomes = bench.run({{1, read_command, 4, 2}});
  EXPECT_EQ(outcomes.at(0).lane_0, (std::vector<std::uint32_t>{1, 3}));
}

TEST(register_bank, debug_access_sees_what_has_arrived) {
  bank_bench bench("bench", {16, 1});
  bench.run({{1, write_command, 3, 1, 0, 42}});
  lane_vector row{};
  tlm::tlm_generic_payload payload;
  fabric::set_attributes(payload, read_command, 3 * register_bank::row_bytes, reinterpret_cast<unsigned char*>(row.data()),
                         register_bank::row_bytes);
  EXPECT_EQ(bench.bank.read.get_base_interface().transport_dbg(payload), register_bank::row_bytes);
  EXPECT_EQ(row[0], 42u);
  EXPECT_EQ(row[31], 42u);
}

}  // namespace

}  // namespace register_bank_test
