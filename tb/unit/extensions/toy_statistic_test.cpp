// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <tc/accounting/run_summary.hpp>
#include <tc/accounting/statistic_sum.hpp>
#include <tc/accounting/statistics_document.hpp>

#include "device/test_machine.hpp"

namespace toy_statistic_test {

// Statistics of one's own: this file is all there is of them. They are in the file of `tcsim run --stats`, and in the tables of how busy
// units were, without anybody knowing them.

namespace {

using namespace tc;
namespace json = boost::json;

/// Sits on the link of retiring instructions of a sub-core and counts how long they have been in flight.
class lifetimes final : public sc_core::sc_module, public fabric::statistics_source {
 public:
  links::instruction_target<lifetimes> target{"target"};
  links::instruction_initiator<lifetimes> initiator{"initiator"};

  explicit lifetimes(const sc_core::sc_module_name& name) : sc_module(name) { target.register_nb_transport_fw(this, &lifetimes::retired); }

  void collect(fabric::statistics_sink& sink) const override {
    sink.count("matrix_instructions", matrix_instructions_, "instructions", "Matrix instructions that retired");
    sink.cycles_of("in_flight", "matrix", matrix_cycles_, "Cycles from issue to result, added up");
    sink.cycles_of("in_flight", "other", other_cycles_, "Cycles from issue to result, added up");
    sink.busy(busy_, "Cycles in which any instruction was in flight");
  }

 private:
  tlm::tlm_sync_enum retired(links::warp_instruction& instruction, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    const bool is_matrix = isa::is_mma(instruction.code().op);
    matrix_instructions_ += is_matrix ? 1 : 0;
    (is_matrix ? matrix_cycles_ : other_cycles_) += instruction.result - instruction.issued;
    busy_ += instruction.result - std::min(instruction.result, std::max(instruction.issued, busy_until_));
    busy_until_ = std::max(busy_until_, instruction.result);
    return initiator->nb_transport_fw(instruction, phase, delay);
  }

  std::uint64_t matrix_instructions_ = 0, matrix_cycles_ = 0, other_cycles_ = 0, busy_ = 0;
  fabric::cycle_t busy_until_ = 0;
};

/// Puts one on each such link.
class lifetimes_binder final : public links::link_binder {
 public:
  using link_binder::bind;
  void bind(const char* link, links::link_initiator<links::instruction_protocol>& from,
            links::link_target<links::instruction_protocol>& to) override {
    if (std::string(link) != "retire") return link_binder::bind(link, from, to);
    lifetimes& between = *meters_.emplace_back(std::make_unique<lifetimes>("lifetimes"));
    from.bind(between.target);
    between.initiator.bind(to);
  }

 private:
  std::vector<std::unique_ptr<lifetimes>> meters_;
};

TEST(toy_statistic, is_in_the_file_and_in_the_tables) {
  lifetimes_binder binder;
  device::run_options options;
  options.binder = &binder;
  const config::machine turing = device::test::preset("turing");
  const auto trace = std::filesystem::path(TC_SOURCE_DIR) / "traces" / "sm_75.micro_f16_f16_m16n16k16" / "kernel.trace";
  device::test::test_machine machine(trace, turing, options);
  const accounting::run_result result = machine.run();

  const json::object document = accounting::statistics_document(result, turing, {"x", 0});
  const json::object& counted = document.at("units").at("gpu.sm_0.sub_core_0.lifetimes").as_object();
  EXPECT_EQ(counted.at("matrix_instructions"), 4);
  EXPECT_GE(counted.at("in_flight_matrix").as_uint64(), 4U * 14) << "HMMA.1688 takes 14 cycles from its operands to its result";
  EXPECT_GT(counted.at("in_flight_other").as_uint64(), 300U) << "loads";
  const json::object& utilisation = document.at("utilisation").at("gpu.sm_0.sub_core_0.lifetimes").as_object();
  EXPECT_EQ(utilisation.at("busy_cycles"), counted.at("busy_cycles"));

  const auto kinds = accounting::summarize(result, turing).units;
  EXPECT_TRUE(std::any_of(kinds.begin(), kinds.end(), [](const auto& use) { return use.kind == "lifetimes" && use.units == 1; }));

  const accounting::statistic_sum in_flight("lifetimes", "in_flight");
  EXPECT_EQ(in_flight.sum(), in_flight.part("matrix") + in_flight.part("other"));
  EXPECT_EQ(in_flight.part("matrix"), accounting::statistic_sum("sub_core.lifetimes", "in_flight_matrix").sum());
  EXPECT_EQ(accounting::statistic_sum("lifetimes", "matrix_instructions").objects(), 1U) << "three of four sub-cores have no warp";
  EXPECT_THROW(accounting::statistic_sum("lifetimes", "no_such_statistic"), std::out_of_range);
  EXPECT_THROW(accounting::statistic_sum("lifetime", "in_flight"), std::out_of_range);
}

}  // namespace

}  // namespace toy_statistic_test
