// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <tc/accounting/accounting_reports.hpp>
#include <tc/accounting/run_laws.hpp>
#include <tc/accounting/statistic_sum.hpp>
#include <tc/fabric/kept_statistics.hpp>

#include "test_machine.hpp"

namespace tc::device::test::run_laws_test {
namespace {

using counted = std::vector<std::pair<std::string, std::uint64_t>>;

/// A unit that says what it likes.
class liar final : public sc_core::sc_module, public fabric::statistics_source {
 public:
  liar(const sc_core::sc_module_name& module_name, counted values) : sc_module(module_name), values_(std::move(values)) {}

  void collect(fabric::statistics_sink& sink) const override {
    for (const auto& [name, value] : values_) {
      if (name == "busy_cycles")
        sink.busy(value, "");
      else if (const auto of = name.find("_of_"); of != std::string::npos)
        sink.count_of("multiply_accumulates_of", std::string_view(name).substr(of + 4), value, "", "");
      else
        sink.count(name, value, "", "");
    }
  }

 private:
  const counted values_;
};

using named_units = std::vector<std::pair<const char*, counted>>;

/// Modules in each other, with such units in the last.
class nest final : public sc_core::sc_module {
 public:
  nest(const sc_core::sc_module_name& module_name, std::vector<const char*> inside, const named_units& units) : sc_module(module_name) {
    if (inside.empty()) {
      for (const auto& [unit, values] : units) units_.push_back(std::make_unique<liar>(unit, values));
      return;
    }
    const char* const next = inside.front();
    inside.erase(inside.begin());
    inside_ = std::make_unique<nest>(next, inside, units);
  }

 private:
  std::unique_ptr<nest> inside_;
  std::vector<std::unique_ptr<liar>> units_;
};

/// The laws that a machine with these units in its first sub-core breaks in 1000 cycles.
std::vector<accounting::broken_law> broken_by(const named_units& units, bool is_complete = true) {
  const config::machine machine = preset("hopper");
  const nest gpu("gpu", {"sm_0", "sub_core_0"}, units);
  return accounting::broken_laws({machine, "gpu", 1000, is_complete});
}

TEST(run_laws, name_law_unit_and_both_numbers) {
  const auto broken = broken_by({{"tensor", {{"busy_cycles", 900}}}, {"warpgroup", {{"busy_cycles", 1600}}}});
  ASSERT_FALSE(broken.empty());
  EXPECT_EQ(
      broken.front().text(),
      "the tensor cores of a sub-core multiply one instruction at a time: gpu.sm_0.sub_core_0 has 2500, and 1000 is the most there can "
      "be");
}

TEST(run_laws, no_more_products_than_dot_product_units_form) {
  const auto broken = broken_by({{"tensor", {{"multiply_accumulates_of_f16", 512 * 101}, {"busy_cycles", 100}}}});
  ASSERT_EQ(broken.size(), 1U);
  EXPECT_EQ(broken.front().unit, "gpu.sm_0.sub_core_0.tensor");
  EXPECT_EQ(broken.front().found, 101);
}

TEST(run_laws, what_leaves_a_level_comes_to_the_next) {
  const auto broken = broken_by({{"shared_memory", {{"bytes_read", 128}, {"bytes_written", 0}, {"wavefronts", 1}}},
                                 {"load_store", {{"shared_bytes_read", 64}, {"shared_bytes_written", 0}}}});
  ASSERT_EQ(broken.size(), 1U);
  EXPECT_EQ(broken.front().text(), "shared memory is read by the units of its SM alone: gpu.sm_0 has 128, and 64 is what it must be");
}

TEST(run_laws, leave_alone_what_is_still_on_its_way) {
  EXPECT_TRUE(broken_by({{"scheduler", {{"issued", 10}, {"retired", 9}, {"empty", 0}}}}, false).empty());
}

TEST(run_laws, do_not_apply_to_units_that_are_not_there) { EXPECT_TRUE(broken_by({{"shared_memory", {{"bytes_read", 128}}}}).empty()); }

TEST(run_laws, end_a_run_that_breaks_them) {
  test_machine machine(preset("turing"), {kernel_header(1, 1) + cta_line(0) + warp_line(0) + "/*0000*/ EXIT\n"});
  fabric::kept_statistic issued;
  issued.name = "issued";
  issued.value = 1000000;
  fabric::add_statistics({{"gpu.sm_0.sub_core_0.scheduler", {issued}}});  // as if another process had counted them
  try {
    machine.run();
    FAIL();
  } catch (const sc_core::sc_report& report) {
    EXPECT_STREQ(report.get_msg_type(), accounting::report::broken_law);
    EXPECT_NE(std::string(report.get_msg()).find("gpu.sm_0.sub_core_0.scheduler has 1000001, and "), std::string::npos) << report.get_msg();
  }
}

/// Four warps of a warpgroup that multiplies without an end in sight, and a warp on each sub-core that does so by itself.
std::string mixed_kernel(unsigned wgmma, unsigned hmma) {
  std::string text = kernel_header(1, 8, "shared 16384\nregisters 128\ndata none\n", "sm_90") + cta_line(0);
  for (unsigned warp = 0; warp < 4; ++warp) {
    text += warp_line(warp) + "wgmma.fence.sync.aligned\n";
    for (unsigned i = 0; i < wgmma; ++i)
      text +=
          "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {R24, R25, R26, R27}, 0x0000001000080040, 0x00000010000800c0, 1, 1, 1, 0, "
          "0\n";
    text += "wgmma.commit_group.sync.aligned\nwgmma.wait_group.sync.aligned 0\n/*f000*/ EXIT\n";
  }
  for (unsigned warp = 4; warp < 8; ++warp) {
    text += warp_line(warp);
    for (unsigned i = 0; i < hmma; ++i)
      text += fmt::format("/*{:04x}*/ HMMA.16816.F32 R{}, R0, R8, R{}\n", 16 * i, 32 + i % 8 * 4, 32 + i % 8 * 4);
    text += "/*f000*/ EXIT\n";
  }
  return text;
}

/// Cycles, and those in which the tensor cores of a sub-core multiply.
std::pair<cycle_t, cycle_t> cycles_of(unsigned wgmma, unsigned hmma) {
  run_options options;
  options.data = false;
  test_machine machine(preset("hopper"), {mixed_kernel(wgmma, hmma)}, options);
  const accounting::run_result result = machine.run();
  EXPECT_EQ(result.status, accounting::run_status::finished);
  expect_cycles_accounted(result);
  const cycle_t busy =
      accounting::statistic_sum("tensor", "busy_cycles").sum() + accounting::statistic_sum("warpgroup", "busy_cycles").sum();
  return {result.cycles, busy / 4};
}

TEST(shared_tensor_core, multiplies_for_warps_and_warpgroups_in_turn) {
  const auto [cycles, busy] = cycles_of(400, 400);
  EXPECT_LE(busy, cycles);
  EXPECT_GE(cycles, 400U * 4 + 400U * 4);
}

}  // namespace
}  // namespace tc::device::test::run_laws_test
