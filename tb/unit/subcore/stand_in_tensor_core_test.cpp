// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <random>
#include <stand_ins/replacing_binder.hpp>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <tc/subcore/tensor/tensor_reports.hpp>

#include "schoolbook_units.hpp"
#include "tensor_bench.hpp"

// Dot-product units, and a whole tensor core, of another make.

namespace tc::subcore::stand_in_tensor_core_test {
namespace {

using stand_ins::replacing_binder;
using test::answer;
using test::registers;
using test::schoolbook_units;
using test::statistics_map;
using test::tensor_bench;

class foreign_dot_products {
 public:
  explicit foreign_dot_products(const config::tensor_core_parameters& parameters, const answer& how = {}) {
    units_.init(parameters.count, [&](const char* name, std::size_t) { return new schoolbook_units(name, parameters.arithmetic, how); });
    binder_.dot_products = [this](const std::string&, const std::string&) {
      return replacing_binder::ends<links::dot_product_protocol>{nullptr, &units_[bound_++].socket};
    };
    bench_ = std::make_unique<tensor_bench>("foreign", parameters, binder_);
  }

  tensor_bench& bench() { return *bench_; }
  unsigned calls() const { return units_[0].calls; }

 private:
  sc_core::sc_vector<schoolbook_units> units_{"units"};
  unsigned bound_ = 0;
  replacing_binder binder_;
  std::unique_ptr<tensor_bench> bench_;
};

class stand_in_dot_product_units : public testing::TestWithParam<test::tensor_machine> {};

TEST_P(stand_in_dot_product_units, give_the_bits_of_the_model) {
  const test::tensor_machine& machine = GetParam();
  links::link_binder direct;
  tensor_bench own("own", machine.parameters, direct);
  foreign_dot_products foreign(machine.parameters);
  std::mt19937 random(2);
  for (const std::string& mnemonic : machine.operations) {
    SCOPED_TRACE(mnemonic);
    const isa::instruction code = test::matrix_instruction(mnemonic, machine.arch);
    const auto values = tensor_bench::random_operands(*code.mma, random, 0xbfffbfff);
    EXPECT_EQ(tensor_bench::result_of(foreign.bench().run(code, values)), tensor_bench::result_of(own.run(code, values)));
  }
  EXPECT_EQ(foreign.calls(), machine.operations.size());
}

/// Answers in calls of their own, the last of which come when the tiles of their operands have been taken by others.
TEST_P(stand_in_dot_product_units, may_answer_when_the_products_are_due) {
  const test::tensor_machine& machine = GetParam();
  const isa::instruction code = test::matrix_instruction(machine.operations.front(), machine.arch);
  const tensor_demand demand = demand_of(*product_layout::of(*code.mma), machine.parameters);
  links::link_binder direct;
  tensor_bench own("own", machine.parameters, direct);
  foreign_dot_products foreign(machine.parameters, {demand.products - demand.fill, false});
  std::mt19937 random(5);
  std::vector<tensor_bench::operands> values;
  std::vector<const links::warp_instruction*> answered;
  for (unsigned i = 0; i < 5; ++i) {
    values.push_back(tensor_bench::random_operands(*code.mma, random, 0xbfffbfff));
    answered.push_back(&foreign.bench().run(code, values.back()));
  }
  sc_core::sc_start(100, sc_core::SC_NS);
  ASSERT_EQ(foreign.bench().arrivals.size(), values.size());
  for (unsigned i = 0; i < values.size(); ++i) {
    EXPECT_EQ(foreign.bench().arrivals[i].instruction, answered[i]);
    EXPECT_EQ(foreign.bench().arrivals[i].cycle, answered[i]->dispatch + demand.result);
    EXPECT_EQ(tensor_bench::result_of(*answered[i]), tensor_bench::result_of(own.run(code, values[i])));
  }
}

INSTANTIATE_TEST_SUITE_P(machines, stand_in_dot_product_units,
                         testing::Values(test::volta(), test::turing(), test::ampere(), test::hopper()),
                         [](const auto& machine) { return std::string(machine.param.name); });

std::string error_with(unsigned cycles, bool in_call) {
  foreign_dot_products foreign(test::turing().parameters, {cycles, in_call});
  const isa::instruction code = test::matrix_instruction("HMMA.1688.F32", test::turing().arch);
  std::mt19937 random(1);
  try {
    foreign.bench().run(code, tensor_bench::random_operands(*code.mma, random));
    sc_core::sc_start(100, sc_core::SC_NS);
  } catch (const sc_core::sc_report& report) {
    EXPECT_NE(std::string(report.get_msg()).find("foreign.pipe"), std::string::npos) << "the unit that promised the cycle says so";
    EXPECT_EQ(std::string(report.get_msg()).find("foreign.pipe.tensor_core"), std::string::npos);
    return report.get_msg_type();
  }
  return "";
}

// Eight beats, one stage of multipliers and three of adders: the schedule has this time for them, and a unit that says nothing of its own
// is taken to keep it.
class stand_in_dot_product_units_latency : public testing::TestWithParam<bool> {};

TEST_P(stand_in_dot_product_units_latency, may_be_as_long_as_the_stages_are) { EXPECT_EQ(error_with(8 + 1 + 3, GetParam()), ""); }
TEST_P(stand_in_dot_product_units_latency, beyond_the_products_is_an_error) {
  EXPECT_EQ(error_with(8 + 1 + 3 + 1, GetParam()), report::tensor_late);
}

INSTANTIATE_TEST_SUITE_P(answer, stand_in_dot_product_units_latency, testing::Bool(),
                         [](const auto& in_call) { return std::string(in_call.param ? "in_call" : "later"); });

/// A tensor core that knows the links and the fragments of the PTX ISA. It reads B, multiplies element by element, and has the products
/// when they are due, or later.
class foreign_tensor_core final : public sc_core::sc_module {
 public:
  links::fragment_target<foreign_tensor_core> fragments{"fragments"};
  links::b_tile_initiator<foreign_tensor_core> b_read{"b_read"};
  unsigned late_cycles = 0;  ///< how long after they are due the products leave

  foreign_tensor_core(const sc_core::sc_module_name& module_name, const config::arithmetic_parameters& arithmetic)
      : sc_module(module_name), arithmetic_(arithmetic) {
    fragments.register_nb_transport_fw(this, &foreign_tensor_core::filled);
  }

 private:
  tlm::tlm_sync_enum filled(links::fragment_transfer& operands, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    EXPECT_EQ(phase, tlm::BEGIN_REQ);
    EXPECT_EQ(delay, sc_core::SC_ZERO_TIME);
    const links::matrix_work& work = *operands.work;
    const isa::mma_operation& mma = *work.mma;
    registers a, c, b = read_b(operands);
    for (unsigned r = 0; r < mma.a_registers(); ++r) a.push_back(*work.a[r]);
    for (unsigned r = 0; r < mma.c_registers(); ++r) c.push_back(*work.c[r]);
    test::matrix d = test::multiply(mma, arithmetic_, a, b, c);
    const isa::fragment_layout layout(mma, isa::fragment::d);
    for (unsigned row = 0; row < mma.m; ++row) {
      for (unsigned column = 0; column < mma.n; ++column) {
        const isa::fragment_element at = *layout.holder(row, column);
        const unsigned octet = at.lane / links::lanes_per_threadgroup % links::octets_per_warp;
        if (octet < operands.octets.first || octet >= operands.octets.first + operands.octets.count) continue;
        numerics::set_packed_element(&(*work.d[at.reg])[at.lane], at.element, isa::format_of(mma.d), d.at(row, column));
      }
    }
    operands.complete = work.schedule.products + late_cycles;
    return tlm::TLM_COMPLETED;
  }

  /// The registers of B, of whose columns the buffer has the words one after the other.
  registers read_b(const links::fragment_transfer& operands) {
    const links::matrix_work& work = *operands.work;
    links::b_tile_transfer tile;
    tile.tile = work.schedule.b_tile;
    tile.registers = work.b_registers;
    tile.arrival = tile.complete = operands.arrival;
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay;
    EXPECT_EQ(b_read->nb_transport_fw(tile, phase, delay), tlm::TLM_COMPLETED);
    EXPECT_EQ(tile.refusal, nullptr);
    registers b(work.b_registers);
    constexpr unsigned words = links::lanes_per_threadgroup;  // of a column in each register
    for (unsigned r = 0; r < b.size(); ++r)
      for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane)
        b[r][lane] = tile.words[(lane / words * b.size() + r) * words + lane % words];
    return b;
  }

  config::arithmetic_parameters arithmetic_;
};

/// A pipe with two tensor cores, of which the first is a stand-in.
class half_foreign {
 public:
  half_foreign() {
    binder_.fragments = [this](const std::string& link, const std::string& from) {
      replacing_binder::ends<links::fragment_protocol> ends;
      if (link == "fragments" && from == "bench.pipe.fragments_0") ends.to = &core_.fragments;
      return ends;
    };
    binder_.b_tiles = [this](const std::string& link, const std::string& from) {
      replacing_binder::ends<links::b_tile_protocol> ends;
      if (link == "b_read" && from == "bench.pipe.tensor_core_0.b_read_0") ends.from = &core_.b_read;
      return ends;
    };
    bench_ = std::make_unique<tensor_bench>("bench", machine_.parameters, binder_);
  }

  tensor_bench& bench() { return *bench_; }
  foreign_tensor_core& core() { return core_; }
  const test::tensor_machine& machine() const { return machine_; }

 private:
  test::tensor_machine machine_ = test::turing();
  foreign_tensor_core core_{"core", machine_.parameters.arithmetic};
  replacing_binder binder_;
  std::unique_ptr<tensor_bench> bench_;
};

TEST(stand_in_tensor_core, works_beside_one_of_the_model) {
  half_foreign machine;
  links::link_binder direct;
  tensor_bench own("own", machine.machine().parameters, direct);
  std::mt19937 random(4);
  for (const std::string& mnemonic : machine.machine().operations) {
    SCOPED_TRACE(mnemonic);
    const isa::instruction code = test::matrix_instruction(mnemonic, machine.machine().arch);
    const auto values = tensor_bench::random_operands(*code.mma, random, 0xbfffbfff);
    EXPECT_EQ(tensor_bench::result_of(machine.bench().run(code, values)), tensor_bench::result_of(own.run(code, values)));
    EXPECT_EQ(machine.bench().arrivals.back().cycle, machine.bench().arrivals.back().instruction->result);
  }
  const statistics_map counted;
  EXPECT_EQ(counted.at("bench.pipe.tensor_core_0.fills"), 0u);
  EXPECT_EQ(counted.at("bench.pipe.tensor_core_1.fills"), machine.machine().operations.size());
}

TEST(stand_in_tensor_core, is_reported_when_its_products_come_a_cycle_late) {
  half_foreign machine;
  machine.core().late_cycles = 1;
  const isa::instruction code = test::matrix_instruction("HMMA.1688.F32", machine.machine().arch);
  std::mt19937 random(4);
  std::string type;
  try {
    machine.bench().run(code, tensor_bench::random_operands(*code.mma, random));
  } catch (const sc_core::sc_report& report) {
    type = report.get_msg_type();
  }
  EXPECT_EQ(type, report::tensor_late);
}

}  // namespace
}  // namespace tc::subcore::stand_in_tensor_core_test
