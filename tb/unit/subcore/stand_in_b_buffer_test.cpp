// SPDX-License-Identifier: Apache-2.0
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <stand_ins/replacing_binder.hpp>
#include <string>
#include <vector>

#include <tlm_utils/passthrough_target_socket.h>
#include <tlm_utils/peq_with_get.h>

#include <gtest/gtest.h>

#include <tc/subcore/tensor/tensor_reports.hpp>

#include "tensor_bench.hpp"

// A memory of another make in the place of the B buffers.

namespace tc::subcore::stand_in_b_buffer_test {
namespace {

using test::statistics_map;
using test::tensor_bench;

/// How a memory answers.
struct manners {
  /// Cycles of an access; it fills a tile, or reads one.
  std::function<unsigned(bool fills)> latency = [](bool) { return 0; };
  bool in_call = true;  ///< else in a call of its own, when it is done
};

/// Tiles of B by number, behind links that all are alike.
class foreign_b_buffer final : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(foreign_b_buffer);

  using socket = tlm_utils::passthrough_target_socket_tagged<foreign_b_buffer, fabric::base_link_width_bits, links::b_tile_protocol>;
  sc_core::sc_vector<socket> port{"port"};  ///< the first one fills

  foreign_b_buffer(const sc_core::sc_module_name& module_name, unsigned ports, const manners& how, const fabric::clock_domain& clock)
      : sc_module(module_name), how_(how), clock_(clock) {
    port.init(ports);
    for (unsigned i = 0; i < ports; ++i) port[i].register_nb_transport_fw(this, &foreign_b_buffer::access, static_cast<int>(i));
    SC_METHOD(answer_later);
    sensitive << done_.get_event();
    dont_initialize();
  }

  unsigned fills() const { return fills_; }

 private:
  struct pending {
    int port;
    links::b_tile_transfer* transfer;
  };

  tlm::tlm_sync_enum access(int over, links::b_tile_transfer& transfer, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    EXPECT_EQ(phase, tlm::BEGIN_REQ);
    EXPECT_EQ(delay, sc_core::SC_ZERO_TIME);
    const bool fills = over == 0;
    fills_ += fills ? 1 : 0;
    if (fills) tiles_[transfer.tile].assign(transfer.words, transfer.words + transfer.registers * warp::lanes_per_warp);
    const cycle_t done = transfer.arrival + how_.latency(fills);
    if (!how_.in_call) {
      done_.notify(pending_.emplace_back(pending{over, &transfer}), clock_.delay_to(done));
      return tlm::TLM_ACCEPTED;
    }
    transfer.complete = done;
    if (!fills) transfer.words = tiles_[transfer.tile].data();
    return tlm::TLM_COMPLETED;
  }

  void answer_later() {
    while (pending* const done = done_.get_next_transaction()) {
      if (done->port != 0) done->transfer->words = tiles_[done->transfer->tile].data();
      tlm::tlm_phase phase = tlm::BEGIN_RESP;
      sc_core::sc_time delay;
      EXPECT_EQ(port[static_cast<std::size_t>(done->port)]->nb_transport_bw(*done->transfer, phase, delay), tlm::TLM_COMPLETED);
    }
  }

  const manners how_;
  const fabric::clock_domain& clock_;
  std::map<unsigned, std::vector<std::uint32_t>> tiles_;
  std::deque<pending> pending_;
  tlm_utils::peq_with_get<pending> done_{"done"};
  unsigned fills_ = 0;
};

/// A tensor pipe whose B buffers are of another make.
class foreign_b_buffers {
 public:
  foreign_b_buffers(const config::tensor_core_parameters& parameters, const manners& how) {
    const unsigned count = b_buffer_layout(parameters).buffers();
    const unsigned readers = parameters.b_buffer.shared ? parameters.count : 1;
    memories_.init(count, [&](const char* name, std::size_t) { return new foreign_b_buffer(name, 1 + readers, how, clock_); });
    binder_.b_tiles = [this, count](const std::string& link, const std::string&) {
      if (link == "b_fill") return to(memories_[fills_++].port[0]);
      const unsigned reader = reads_++;
      return to(count == 1 ? memories_[0].port[1 + reader] : memories_[reader].port[1]);
    };
    bench_ = std::make_unique<tensor_bench>("foreign", parameters, binder_);
  }

  tensor_bench& bench() { return *bench_; }
  const foreign_b_buffer& memory(unsigned i) const { return memories_[i]; }

 private:
  using ends = stand_ins::replacing_binder::ends<links::b_tile_protocol>;
  static ends to(foreign_b_buffer::socket& port) { return {nullptr, &port}; }

  fabric::clock_domain clock_{"memory_clock", sc_core::sc_time(1, sc_core::SC_NS)};
  sc_core::sc_vector<foreign_b_buffer> memories_{"memory"};
  stand_ins::replacing_binder binder_;
  unsigned fills_ = 0, reads_ = 0;
  std::unique_ptr<tensor_bench> bench_;
};

class stand_in_b_buffer : public testing::TestWithParam<test::tensor_machine> {
 protected:
  /// Every operation gives the bits and takes the time that it does with the model's own buffers.
  void expect_the_same(const manners& how) {
    const test::tensor_machine machine = GetParam();
    links::link_binder direct;
    tensor_bench own("own", machine.parameters, direct);
    foreign_b_buffers foreign(machine.parameters, how);
    for (const std::string& mnemonic : machine.operations) {
      SCOPED_TRACE(mnemonic);
      const isa::instruction code = test::matrix_instruction(mnemonic, machine.arch);
      const auto values = tensor_bench::random_operands(*code.mma, random_, 0xbfffbfff);
      const links::warp_instruction &expected = own.run(code, values), &actual = foreign.bench().run(code, values);
      sc_core::sc_start(own.clock.delay_to(std::max(expected.result, actual.result)));
      EXPECT_EQ(tensor_bench::result_of(actual), tensor_bench::result_of(expected));
      EXPECT_EQ(actual.result - actual.dispatch, expected.result - expected.dispatch);
      ASSERT_EQ(foreign.bench().arrivals.back().instruction, &actual);
      EXPECT_EQ(foreign.bench().arrivals.back().cycle, actual.result);
    }
    EXPECT_EQ(foreign.memory(0).fills(), machine.operations.size());
    EXPECT_EQ(statistics_map().at("foreign.pipe.b_buffer_0.fills"), 0u) << "the model's own buffer is out of use";
  }

 private:
  std::mt19937 random_{11};
};

TEST_P(stand_in_b_buffer, may_complete_in_the_call) { expect_the_same({}); }
TEST_P(stand_in_b_buffer, may_answer_in_calls_of_its_own) {
  expect_the_same({[](bool) { return 1; }, false});
}

INSTANTIATE_TEST_SUITE_P(machines, stand_in_b_buffer, testing::Values(test::volta(), test::turing(), test::ampere(), test::hopper()),
                         [](const auto& machine) { return std::string(machine.param.name); });

std::string error_with(const test::tensor_machine& machine, const std::string& mnemonic, const std::function<unsigned(bool)>& latency) {
  foreign_b_buffers foreign(machine.parameters, {latency, true});
  const isa::instruction code = test::matrix_instruction(mnemonic, machine.arch);
  std::mt19937 random(1);
  try {
    foreign.bench().run(code, tensor_bench::random_operands(*code.mma, random));
  } catch (const sc_core::sc_report& report) {
    return report.get_msg_type();
  }
  return "";
}

std::string error_with_latency(unsigned fill_cycles, unsigned read_cycles) {
  return error_with(test::turing(), "IMMA.8816.S8.S8", [=](bool fills) { return fills ? fill_cycles : read_cycles; });
}

// B is at the buffer in the cycle of the dispatch, is read in the next one, and products leave eight cycles later.
TEST(stand_in_b_buffer_latency, is_hidden_up_to_the_cycle_of_the_products) { EXPECT_EQ(error_with_latency(1, 8), ""); }
TEST(stand_in_b_buffer_latency, of_a_read_beyond_that_is_an_error) { EXPECT_EQ(error_with_latency(1, 9), report::tensor_late); }
TEST(stand_in_b_buffer_latency, of_a_fill_beyond_that_is_an_error) { EXPECT_EQ(error_with_latency(10, 0), report::tensor_late); }

TEST(stand_in_b_buffer_latency, counts_of_the_slowest_buffer) {
  unsigned fills = 0;
  const auto first_fill_is_slow = [&fills](bool is_fill) { return is_fill && fills++ == 0 ? 100U : 0U; };
  EXPECT_EQ(error_with(test::volta(), "HMMA.884.F32.F32.STEP0", first_fill_is_slow), report::tensor_late);
}

}  // namespace
}  // namespace tc::subcore::stand_in_b_buffer_test
