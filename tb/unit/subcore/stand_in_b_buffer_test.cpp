// SPDX-License-Identifier: Apache-2.0
#include <random>
#include <stand_ins/plain_memory.hpp>
#include <stand_ins/replacing_binder.hpp>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <tc/fabric/extensions.hpp>
#include <tc/subcore/tensor/tensor_reports.hpp>

#include "tensor_bench.hpp"

// A memory of another make in the place of the B buffers.

namespace tc::subcore::stand_in_b_buffer_test {
namespace {

using stand_ins::answer_style;
using stand_ins::plain_memory;
using test::statistics_map;
using test::tensor_bench;

/// A tensor pipe whose B buffers are plain memories.
class foreign_b_buffers {
 public:
  foreign_b_buffers(const config::tensor_core_parameters& parameters, plain_memory::params memory) {
    const unsigned count = b_buffer_layout(parameters).buffers();
    memory.ports = 1 + (parameters.b_buffer.shared ? parameters.count : 1);
    memories_.init(count, [&memory](const char* name, std::size_t) { return new plain_memory(name, memory); });
    binder_.memory = [this, count](const std::string& link, const std::string&) {
      if (link == "b_fill") return to(memories_[fills_++].port[0]);
      const unsigned reader = reads_++;
      return to(count == 1 ? memories_[0].port[1 + reader] : memories_[reader].port[1]);
    };
    bench_ = std::make_unique<tensor_bench>("foreign", parameters, binder_);
  }

  tensor_bench& bench() { return *bench_; }
  const plain_memory& memory(unsigned i) const { return memories_[i]; }

 private:
  using ends = stand_ins::replacing_binder::ends<links::link_binder::memory_protocol>;
  static ends to(stand_ins::answering_port& port) { return {nullptr, &port.socket}; }

  sc_core::sc_vector<plain_memory> memories_{"memory"};
  stand_ins::replacing_binder binder_;
  unsigned fills_ = 0, reads_ = 0;
  std::unique_ptr<tensor_bench> bench_;
};

/// A target may change an ignorable extension.
void spoil_warp_tag(tlm::tlm_generic_payload& payload) { fabric::warp_tag::of(payload).warp = 0xffff; }

class stand_in_b_buffer : public testing::TestWithParam<test::tensor_machine> {
 protected:
  /// Every operation gives the bits and takes the time that it does with the model's own buffers.
  void expect_the_same(answer_style style) {
    const test::tensor_machine machine = GetParam();
    links::link_binder direct;
    tensor_bench own("own", machine.parameters, direct);
    plain_memory::params memory;
    memory.style = style;
    memory.spoil = spoil_warp_tag;
    foreign_b_buffers foreign(machine.parameters, memory);
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
    EXPECT_EQ(foreign.memory(0).writes(), machine.operations.size());
    EXPECT_EQ(statistics_map().at("foreign.pipe.b_buffer_0.fills"), 0u) << "the model's own buffer is out of use";
  }

 private:
  std::mt19937 random_{11};
};

TEST_P(stand_in_b_buffer, may_complete_in_the_call) { expect_the_same(answer_style::completed); }
TEST_P(stand_in_b_buffer, may_answer_in_phases) { expect_the_same(answer_style::random); }

INSTANTIATE_TEST_SUITE_P(machines, stand_in_b_buffer, testing::Values(test::volta(), test::turing(), test::ampere(), test::hopper()),
                         [](const auto& machine) { return std::string(machine.param.name); });

std::string error_with(const test::tensor_machine& machine, const std::string& mnemonic,
                       const stand_ins::answering_port::latency_callback& latency) {
  plain_memory::params memory;
  memory.latency = latency;
  foreign_b_buffers foreign(machine.parameters, memory);
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
  return error_with(test::turing(), "IMMA.8816.S8.S8",
                    [=](const auto& payload) { return sc_core::sc_time(payload.is_write() ? fill_cycles : read_cycles, sc_core::SC_NS); });
}

// B is at the buffer in the cycle of the dispatch, is read in the next one, and products leave eight cycles later.
TEST(stand_in_b_buffer_latency, is_hidden_up_to_the_cycle_of_the_products) { EXPECT_EQ(error_with_latency(1, 8), ""); }
TEST(stand_in_b_buffer_latency, of_a_read_beyond_that_is_an_error) { EXPECT_EQ(error_with_latency(1, 9), report::tensor_late); }
TEST(stand_in_b_buffer_latency, of_a_fill_beyond_that_is_an_error) { EXPECT_EQ(error_with_latency(10, 0), report::tensor_late); }

TEST(stand_in_b_buffer_latency, counts_of_the_slowest_buffer) {
  unsigned fills = 0;
  const auto first_fill_is_slow = [&fills](const auto& payload) {
    return sc_core::sc_time(payload.is_write() && fills++ == 0 ? 100 : 0, sc_core::SC_NS);
  };
  EXPECT_EQ(error_with(test::volta(), "HMMA.884.F32.F32.STEP0", first_fill_is_slow), report::tensor_late);
}

}  // namespace
}  // namespace tc::subcore::stand_in_b_buffer_test
