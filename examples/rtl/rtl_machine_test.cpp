// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <tc/config/machine_loader.hpp>
#include <tc/device/gpu.hpp>
#include <tc/fabric/reports.hpp>
#include <tc/fabric/statistics.hpp>
#include <tc/subcore/tensor/tensor_reports.hpp>
#include <tc/trace/trace.hpp>

#include "rtl_dot_product_units.hpp"
#include "rtl_variants.hpp"

// Whole machines with RTL in their tensor cores.

namespace rtl::test {
namespace {

namespace fs = std::filesystem;
using tc::accounting::run_result;
using tc::device::gpu;

const fs::path project = TC_SOURCE_DIR;

/// A machine of one SM whose dot-product units may be others than the model's.
tc::config::machine machine_of(const std::string& preset, std::vector<std::string> settings = {}) {
  settings.emplace_back("sms=1");
  return tc::config::load_machine(project / "configs" / (preset + ".json"), settings);
}

/// The control codes of a kernel are right for the latencies of presets; a machine of other latencies waits for results by itself.
tc::device::run_options options_with(const make_threadgroup& make, bool timing_of_preset = true) {
  tc::device::run_options options;
  options.timing_of_preset = timing_of_preset;
  options.monitors = true;
  options.units.dot_products["rtl"] = rtl_dot_product_maker(make);
  return options;
}

constexpr const char* with_rtl = "units.dot_products=rtl";

/// The statistics of a machine, by the path within it. Those of why nothing happened are left out: where several causes apply, the one that
/// the scheduler finds when it is woken is charged, and it is woken when a result comes.
class statistics_of_machine final : public tc::fabric::statistics_sink {
 public:
  explicit statistics_of_machine(std::string machine) : machine_(std::move(machine)) { tc::fabric::collect_statistics(*this); }

  std::map<std::string, std::uint64_t> values;

 private:
  void begin_object(std::string_view path) override { path_ = path; }
  void end_object() override {}
  void record(const tc::fabric::statistic& value) override {
    const std::string prefix = machine_ + ".";
    const bool is_cause = value.key().rfind("idle_", 0) == 0 || value.key().rfind("empty_", 0) == 0;
    if (path_.rfind(prefix, 0) == 0 && !is_cause) values[path_.substr(prefix.size()) + "." + value.key()] = value.value;
  }

  std::string machine_, path_;
};

/// A kernel on the model's own machine and on one with RTL, side by side in one simulation.
struct side_by_side {
  side_by_side(const fs::path& file, const std::string& preset, const make_threadgroup& make, std::vector<std::string> settings = {})
      : trace(tc::trace::trace::open(file)),
        own("own", machine_of(preset, settings), {{"kernel", &trace}}, options_with({}, settings.empty())) {
    const tc::device::run_options options = options_with(make, settings.empty());
    settings.emplace_back(with_rtl);
    rtl_machine =
        std::make_unique<gpu>("rtl", machine_of(preset, settings), std::vector<tc::device::kernel_source>{{"kernel", &trace}}, options);
    own_result = own.run();
    rtl_result = rtl_machine->result();
    EXPECT_EQ(rtl_result.status, tc::accounting::run_status::finished);
    EXPECT_FALSE(rtl_result.kernels[0].expectations.empty());
  }

  tc::trace::trace trace;
  gpu own;
  std::unique_ptr<gpu> rtl_machine;
  run_result own_result, rtl_result;
};

struct preset_of_kernels {
  std::string arch, preset;
  unsigned length;
};
const std::vector<preset_of_kernels> presets{
    {"sm_70", "volta", 4}, {"sm_75", "turing", 8}, {"sm_80", "ampere", 8}, {"sm_90", "hopper", 16}};

struct kernel {
  std::string name;
  fs::path file;
  const preset_of_kernels* machine;
};
void PrintTo(const kernel& which, std::ostream* out) { *out << which.name; }

/// The kernels of f16 that come with the sources, and those of the complete set if it is there (environment variable TCSIM_SHARED, or
/// beside the sources).
std::vector<kernel> f16_kernels() {
  std::map<std::string, fs::path> files;
  for (const auto& entry : fs::directory_iterator(project / "traces"))
    files[entry.path().filename().string()] = entry.path() / "kernel.trace";
  const char* shared = std::getenv("TCSIM_SHARED");
  const fs::path complete = (shared != nullptr ? fs::path(shared) : project / ".." / "shared") / "traces";
  if (fs::exists(complete)) {
    for (const auto& entry : fs::directory_iterator(complete))
      if (entry.path().extension() == ".trace") files[entry.path().stem().string()] = entry.path();
  }
  std::vector<kernel> kernels;
  for (const auto& [title, file] : files) {
    std::string name = title;
    const auto is_arch = [&name](const preset_of_kernels& machine) { return name.rfind(machine.arch, 0) == 0; };
    const auto machine = std::find_if(presets.begin(), presets.end(), is_arch);
    if (machine == presets.end() || name.find("f16") == std::string::npos || !fs::exists(file)) continue;
    std::replace(name.begin(), name.end(), '.', '_');
    kernels.push_back({name, file, &*machine});
  }
  return kernels;
}

class rtl_machine : public testing::TestWithParam<kernel> {};

TEST_P(rtl_machine, computes_the_expected_bits_in_the_cycles_of_the_model) {
  const auto& [name, file, machine] = GetParam();
  const side_by_side run(file, machine->preset, threadgroup_of(machine->length));
  EXPECT_EQ(run.rtl_result.mismatches(), 0U);
  EXPECT_EQ(run.rtl_result.cycles, run.own_result.cycles);
  const statistics_of_machine rtl("rtl"), own("own");
  EXPECT_EQ(rtl.values.size(), own.values.size());
  for (const auto& [path, value] : own.values) {
    // Which of several results comes last, a scheduler knows of the model's units when an instruction issues, and of a block when it
    // answers.
    if (path.find(".awaited_") != std::string::npos) continue;
    EXPECT_EQ(rtl.values.at(path), value) << path;
  }
}

INSTANTIATE_TEST_SUITE_P(kernels, rtl_machine, testing::ValuesIn(f16_kernels()), [](const auto& test) { return test.param.name; });

const fs::path volta_kernel = project / "traces/sm_70.wmma_f16_f32_m16n16k16/kernel.trace";
const std::vector<std::string> deeper{"sm.sub_core.tensor_core.multiply_stages=2", "sm.sub_core.tensor_core.adder_stages=5"};

TEST(rtl_machine_of_other_depth, takes_the_cycles_of_the_model_with_as_many_stages) {
  const side_by_side run(volta_kernel, "volta", deep_threadgroup(), deeper);
  EXPECT_EQ(run.rtl_result.mismatches(), 0U);
  EXPECT_EQ(run.rtl_result.cycles, run.own_result.cycles);
}

/// Type of the report that ends a run with RTL.
std::string report_with(const make_threadgroup& make) {
  const tc::trace::trace trace = tc::trace::trace::open(volta_kernel);
  try {
    gpu machine("gpu", machine_of("volta", {with_rtl}), {{"kernel", &trace}}, options_with(make));
    machine.run();
  } catch (const sc_core::sc_report& report) {
    return report.get_msg_type();
  }
  return "none";
}

TEST(rtl_machine_of_other_depth, is_late_where_the_machine_has_fewer_stages) {
  EXPECT_EQ(report_with(deep_threadgroup()), tc::subcore::report::tensor_late);
}

TEST(rtl_machine_of_other_arithmetic, is_refused) { EXPECT_EQ(report_with(threadgroup_of(8)), tc::fabric::report::unit_maker); }

TEST(defective_rtl_machine, does_not_give_the_expected_bits) {
  const side_by_side run(volta_kernel, "volta", defective_threadgroup());
  EXPECT_GT(run.rtl_result.mismatches(), 0U);
  EXPECT_EQ(run.own_result.mismatches(), 0U);
}

}  // namespace
}  // namespace rtl::test
