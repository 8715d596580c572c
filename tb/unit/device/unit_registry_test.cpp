// SPDX-License-Identifier: Apache-2.0
#include <engine/tensor_mma_cases.hpp>
#include <memory>
#include <random>
#include <stand_ins/answering_port.hpp>
#include <stdexcept>
#include <string>
#include <units/counting_tensor_memory.hpp>
#include <units/mirrored_bank.hpp>
#include <units/paged_memory.hpp>
#include <units/zero_counting_units.hpp>
#include <utility>

#include <gtest/gtest.h>

#include <tc/accounting/run_summary.hpp>
#include <tc/accounting/statistic_sum.hpp>
#include <tc/device/run_error.hpp>
#include <tc/fabric/reports.hpp>

#include "record_keeper.hpp"
#include "tensor_kernel.hpp"

// Units that a program brings and the configuration names: those of examples/units, and some that go wrong.

namespace tc::device::test::unit_registry_test {
namespace {

std::uint64_t sum_of(const char* unit, const char* statistic) { return accounting::statistic_sum(unit, statistic).sum(); }

template <class Unit, class Site>
auto made_of(const char* name, const Site& site) {
  auto* const unit = new Unit(name, site);
  return std::pair(unit, std::unique_ptr<sc_core::sc_module>(unit));
}

/// The tensor memory of the example, which answers when and how it likes.
class slow_tensor_memory final : public sc_core::sc_module {
 public:
  sc_core::sc_vector<stand_ins::answering_port> port{"port"};

  slow_tensor_memory(const sc_core::sc_module_name& module_name, const links::tensor_memory_site& site)
      : sc_module(module_name), memory_("memory", site) {
    port.init(site.sockets(), [this](const char* child, std::size_t i) {
      tlm::tlm_fw_transport_if<>& behind = memory_.link[i].get_base_interface();
      return new stand_ins::answering_port(
          child, stand_ins::answer_style::random,
          [&behind](tlm::tlm_generic_payload& payload, const sc_core::sc_time&) {
            sc_core::sc_time delay;
            behind.b_transport(payload, delay);
          },
          [this](const tlm::tlm_generic_payload&) { return sc_core::sc_time(static_cast<double>(random_() % 50), sc_core::SC_NS); },
          [&behind](tlm::tlm_generic_payload& payload) { return behind.transport_dbg(payload); });
    });
  }

 private:
  counting_tensor_memory memory_;
  std::mt19937 random_{1};
};

/// Those of the examples under the name "mine".
unit_registry example_units() {
  unit_registry registry;
  registry.dot_products["mine"] = [](const char* name, const links::dot_product_site& site) {
    auto [unit, module] = made_of<zero_counting_units>(name, site);
    return links::made_dot_products{std::move(module), {&unit->products}};
  };
  registry.register_bank["mine"] = [](const char* name, const links::register_bank_site& site) {
    auto [unit, module] = made_of<mirrored_bank>(name, site);
    return links::made_memory{std::move(module), {&unit->read, &unit->write, &unit->accumulator}};
  };
  registry.tensor_memory["mine"] = [](const char* name, const links::tensor_memory_site& site) {
    auto [unit, module] = made_of<counting_tensor_memory>(name, site);
    links::made_memory made{std::move(module), {}};
    for (auto& link : unit->link) made.sockets.push_back(&link);
    return made;
  };
  registry.tensor_memory["slow"] = [](const char* name, const links::tensor_memory_site& site) {
    auto [unit, module] = made_of<slow_tensor_memory>(name, site);
    links::made_memory made{std::move(module), {}};
    for (auto& port : unit->port) made.sockets.push_back(&port.socket);
    return made;
  };
  registry.global_memory["mine"] = [](const char* name, const links::global_memory_site& site) {
    auto [unit, module] = made_of<paged_memory>(name, site);
    links::made_memory made{std::move(module), {}};
    for (auto& link : unit->link) made.sockets.push_back(&link);
    return made;
  };
  return registry;
}

run_options options_with(unit_registry units) {
  run_options options;
  options.timing_of_preset = true;
  options.monitors = true;
  options.record = true;
  options.units = std::move(units);
  return options;
}

class registered_dot_products : public testing::TestWithParam<std::pair<std::string, std::string>> {};

TEST_P(registered_dot_products, move_no_cycle_where_they_take_none) {
  const auto& [machine, kernel] = GetParam();
  const trace::trace trace = trace::trace::open(std::filesystem::path(TC_SOURCE_DIR) / "traces" / kernel / "kernel.trace");
  gpu own("own", preset(machine), {{kernel, &trace}}, options_with({}));
  gpu mine("mine", preset(machine, {"units.dot_products=mine"}), {{kernel, &trace}}, options_with(example_units()));
  const accounting::run_result expected = own.run(), result = mine.result();
  EXPECT_EQ(result.status, accounting::run_status::finished);
  EXPECT_FALSE(result.kernels[0].expectations.empty());
  EXPECT_EQ(result.mismatches(), 0U);
  EXPECT_EQ(result.cycles, expected.cycles);
  EXPECT_EQ(2 * sum_of("dot_product_units", "multiplications"), sum_of("tensor", "multiply_accumulates_of"));
}

INSTANTIATE_TEST_SUITE_P(of, registered_dot_products,
                         testing::Values(std::pair("volta", "sm_70.wmma_f16_f32_m16n16k16"), std::pair("turing", "sm_75.tiled_f16_f32"),
                                         std::pair("ampere", "sm_80.gemm_f16_f32_m16n16k16")),
                         [](const auto& test) { return test.param.first; });

TEST(registered_units, multiply_for_warpgroups) {
  std::string kernel = kernel_header(1, 4, "shared 16384\nshared-memory 0x400 8192 zero\n", "sm_90") + cta_line(0);
  for (unsigned warp = 0; warp < 4; ++warp)
    kernel += warp_line(warp) +
              "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {R24, R25, R26, R27}, 0x0000001000080040, 0x00000010000800c0, 0, 1, 1, "
              "0, 0\nwgmma.commit_group.sync.aligned\nwgmma.wait_group.sync.aligned 0\n/*f000*/ EXIT\n";
  const config::machine hopper =
      preset("hopper", {"units.dot_products=mine", "units.register_bank=mine", "units.global_memory=mine", "energy.register_write=1000"});
  test_machine machine(hopper, {kernel}, options_with(example_units()));
  const accounting::run_result result = machine.run();
  EXPECT_EQ(result.status, accounting::run_status::finished);
  EXPECT_EQ(accounting::summarize(result, hopper).energy->total_nanojoules, 4 * 4) << "warps and accumulators";
  EXPECT_EQ(sum_of("warpgroup_products", "multiplications"), 64U * 8 * 16);
  EXPECT_EQ(sum_of("warpgroup_products", "with_zero"), 64U * 8 * 16);
  EXPECT_EQ(sum_of("bank", "words_written"), 64U * 8) << "accumulators";
}

TEST(registered_units, take_the_same_cycles_without_data) {
  const trace::trace trace = trace::trace::open(std::filesystem::path(TC_SOURCE_DIR) / "traces/sm_75.tiled_f16_f32/kernel.trace");
  const config::machine turing = preset("turing", {"units.dot_products=mine", "units.register_bank=mine", "units.global_memory=mine"});
  run_options options = options_with(example_units());
  gpu with("with", turing, {{"kernel", &trace}}, options);
  options.data = false;
  gpu without("without", turing, {{"kernel", &trace}}, options);
  const accounting::run_result expected = with.run(), result = without.result();
  EXPECT_EQ(result.status, accounting::run_status::finished);
  EXPECT_EQ(result.cycles, expected.cycles);
}

/// A product and a shift on the B200's preset, with assignments.
class tensor_run {
 public:
  explicit tensor_run(const std::vector<std::string>& assignments)
      : operands_(operation_, {}, 1),
        product_(tensor::kernel_of(operation_, operands_.bench())),
        machine_(preset("blackwell", assignments), {product_.text(), shift_.text()}, options_with(example_units())),
        kept(machine_.device()) {}

  void expect_results() {
    tensor::expect_finished(machine_.run());
    product_.take(machine_.device());
    ASSERT_NO_FATAL_FAILURE(tensor::take_product(product_, operands_.bench()));
    operands_.expect_product();
    shift_.take(machine_.device());
    for (unsigned lane = 0; lane < isa::tensor_lanes; ++lane)
      EXPECT_EQ(shift_.cell({lane, 9}), tensor::tag({lane % 32 == 31 ? lane : lane + 1, 9})) << lane;
  }

 private:
  static isa::tensor_mma_operation product() {
    using namespace engine::test;
    return make_operation({isa::mma_kind::f16, isa::cta_group::one, false}, descriptor_of(typed_kind{}, 128, 16), true);
  }
  static tensor::tensor_kernel shift() {
    tensor::tensor_kernel kernel(1);
    kernel.fill({8, 8}, [](unsigned lane, unsigned column) { return tensor::tag({lane, column}); });
    kernel.issue(tensor::shift(8));
    kernel.wait();
    kernel.send({8, 8});
    return kernel;
  }

  const isa::tensor_mma_operation operation_ = product();
  engine::test::integer_matrices operands_;
  tensor::tensor_kernel product_, shift_ = shift();
  test_machine machine_;

 public:
  record_keeper kept;
};

TEST(registered_units, work_together_and_are_recorded) {
  tensor_run run({"units.register_bank=mine", "units.tensor_memory=mine", "units.global_memory=mine", "units.dot_products=mine"});
  run.expect_results();
  EXPECT_GT(sum_of("bank", "words_repaired"), 0U);
  EXPECT_GT(sum_of("global_memory", "page_walks"), 0U);
  EXPECT_EQ(run.kept.sum("access", "", [](const kept_record& access) { return access.number("lanes") * access.number("columns"); }),
            sum_of("tensor_memory", "cells_accessed") + isa::tensor_lanes * (8 + isa::tensor_columns * 2))
      << "and shifted and cleared";
  for (const char* link : {"read", "write", "accumulator"})
    EXPECT_FALSE(run.kept.of(link, "gpu.sm_0.sub_core_0.register_file.bank_0").empty()) << link;
}

TEST(registered_tensor_memory, may_answer_late_and_in_phases) { tensor_run({"units.tensor_memory=slow"}).expect_results(); }

std::string refusal_of(const std::string& assignment, unit_registry units) {
  const std::string kernel = kernel_header(1, 1, "", "sm_100") + cta_line(0) + warp_line(0) + "/*0000*/ EXIT\n";
  try {
    test_machine machine(preset("blackwell", {assignment}), {kernel}, options_with(std::move(units)));
  } catch (const run_error& error) {
    return error.what();
  } catch (const sc_core::sc_report& report) {
    return std::string(report.get_msg_type()).append(": ").append(report.get_msg());
  }
  return "none";
}

TEST(unregistered_unit, is_refused_with_the_names_there_are) {
  EXPECT_EQ(refusal_of("units.register_bank=mime", example_units()),
            "units.register_bank: nobody has registered \"mime\"; known: \"model\", \"mine\"");
  EXPECT_EQ(refusal_of("units.dot_products=mine", {}), "units.dot_products: nobody has registered \"mine\"; known: \"model\"");
}

TEST(unregistered_unit, is_one_by_the_name_of_the_own) {
  unit_registry units;
  units.global_memory["model"] = example_units().global_memory["mine"];
  EXPECT_EQ(refusal_of("sms=1", units), "units.global_memory: \"model\" is the model's own, and no name for another unit");
}

struct failing_maker {
  const char *unit, *path, *links;
};
void PrintTo(const failing_maker& failing, std::ostream* out) { *out << failing.unit; }

class failing_makers : public testing::TestWithParam<failing_maker> {};

TEST_P(failing_makers, are_reported_with_the_path_of_the_unit) {
  unit_registry units;
  units.dot_products["mine"] = [](auto&&...) { return links::made_dot_products{}; };
  units.register_bank["mine"] = [](auto&&...) { return links::made_memory{nullptr, {nullptr, nullptr}}; };
  units.tensor_memory["mine"] = [](auto&&...) { return links::made_memory{}; };
  units.global_memory["mine"] = [](auto&&...) -> links::made_memory { throw std::runtime_error("out of pages"); };
  const failing_maker& failing = GetParam();
  const std::string report = refusal_of(std::string("units.") + failing.unit + "=mine", units);
  EXPECT_EQ(report.find(std::string(fabric::report::unit_maker) + ": " + failing.path + ": "), 0U) << report;
  EXPECT_NE(report.find(std::string("its maker failed: ") + failing.links), std::string::npos) << report;
}

INSTANTIATE_TEST_SUITE_P(of, failing_makers,
                         testing::Values(failing_maker{"dot_products", "gpu.sm_0.sub_core_0.tensor.dot_product_units_0",
                                                       "it gave sockets for 0 of 1 links: dot_pr"},
                                         failing_maker{"register_bank", "gpu.sm_0.sub_core_0.register_file.bank_0",
                                                       "it gave sockets for 0 of 3 links: bank_read"},
                                         failing_maker{"tensor_memory", "gpu.sm_0.tensor_memory",
                                                       "it gave sockets for 0 of 9 links: four of"},
                                         failing_maker{"global_memory", "gpu.global_memory", "out of pages"}),
                         [](const auto& test) { return std::string(test.param.unit); });

}  // namespace
}  // namespace tc::device::test::unit_registry_test
