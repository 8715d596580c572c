// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <istream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include <boost/json.hpp>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <tc/accounting/statistics_document.hpp>
#include <tc/kernels/gemm_trace.hpp>
#include <tc/kernels/wmma_expander.hpp>

#include "shared_recordings.hpp"
#include "test_machine.hpp"

// Every statistic of every trace, as it was when the test was written: a change of the model that is not meant to move a cycle or a count
// must leave all of them alone. After one that is, look at what moved and write them anew:
//
//     TCSIM_WRITE_GOLDEN=1 ctest --preset dev -R golden_statistics

namespace tc::device::test::golden_statistics_test {
namespace {

namespace fs = std::filesystem;
namespace json = boost::json;

const fs::path project = TC_SOURCE_DIR;

fs::path shared_traces() { return tc::test::shared_recordings() / "traces"; }

/// One run: a trace, the machine and how it runs it.
struct golden_run {
  std::string name;
  std::function<trace::trace()> open;
  std::string preset;
  std::vector<std::string> assignments{};
  bool data = true;
  bool record = false;
  std::string as{};  ///< the run whose statistics these are; empty: its own
};

void PrintTo(const golden_run& run, std::ostream* out) { *out << run.name; }

trace::trace open_expanded(const fs::path& path) {
  const kernels::wmma_expander expander;
  trace::open_options options;
  options.expander = &expander;
  return trace::trace::open(path, options);
}

/// A square GEMM of zeros.
trace::trace open_gemm(const std::string& preset_name, const std::string& precision, unsigned size) {
  const config::machine machine = preset(preset_name);
  const kernels::gemm_plan plan = kernels::make_gemm_plan({size, size, size, kernels::find_precision(precision)}, {},
                                                          *isa::find_architecture(machine.architectures.front()), machine);
  const kernels::gemm_program program(plan, machine);
  kernels::gemm_matrices matrices;
  matrices.a.resize(plan.problem.a_bytes());
  matrices.b.resize(plan.problem.b_bytes());
  kernels::gemm_trace text(plan, program, matrices);
  std::istream in(&text);
  return trace::trace::read(in, "gemm");
}

std::string preset_for(const std::string& trace_name) {
  const std::string arch = trace_name.substr(0, 5);
  if (arch == "sm_70") return "volta";
  if (arch == "sm_75") return "turing";
  return arch == "sm_80" ? "ampere" : "hopper";
}

std::vector<golden_run> golden_runs() {
  std::vector<golden_run> runs;
  for (const auto& folder : fs::directory_iterator(project / "traces")) {
    const std::string name = folder.path().filename().string();
    for (const auto& file : fs::directory_iterator(folder))
      if (file.path().filename().string().rfind("kernel.trace", 0) == 0)
        runs.push_back({name, [path = file.path()] { return open_expanded(path); }, preset_for(name)});
  }
  if (fs::is_directory(shared_traces())) {
    for (const auto& file : fs::directory_iterator(shared_traces())) {
      const std::string name = file.path().stem().string();
      if (file.path().extension() == ".trace" && !fs::is_directory(project / "traces" / name))
        runs.push_back({name, [path = file.path()] { return open_expanded(path); }, preset_for(name)});
    }
  }
  const fs::path tiled = project / "traces" / "sm_75.tiled_f16_f32" / "kernel.trace";
  const auto open_tiled = [tiled] { return open_expanded(tiled); };
  runs.push_back({"sm_75.tiled_f16_f32.no_data", open_tiled, "turing", {}, false});
  runs.push_back({"sm_75.tiled_f16_f32.collectors", open_tiled, "collectors"});
  runs.push_back({"sm_75.tiled_f16_f32.geforce", open_tiled, "turing_geforce"});
  runs.push_back({"sm_75.tiled_f16_f32.two_write_ports", open_tiled, "turing", {"sm.sub_core.register_file.write_ports=2"}});
  runs.push_back({"sm_75.tiled_f16_f32.recorded", open_tiled, "turing", {}, true, true, "sm_75.tiled_f16_f32"});
  runs.push_back({"sm_75.tiled_f16_f32.recorded_collectors", open_tiled, "collectors", {}, true, true, "sm_75.tiled_f16_f32.collectors"});
  runs.push_back({"sm_75.tiled_f16_f32.recorded_no_data", open_tiled, "turing", {}, false, true, "sm_75.tiled_f16_f32.no_data"});
  runs.push_back(
      {"gemm_mixed_64.recorded_hopper", [] { return open_gemm("hopper", "mixed", 64); }, "hopper", {}, true, true, "gemm_mixed_64.hopper"});
  for (const char* name : {"volta", "turing", "ampere", "hopper"})
    runs.push_back({fmt::format("gemm_mixed_64.{}", name), [name] { return open_gemm(name, "mixed", 64); }, name});
  std::sort(runs.begin(), runs.end(), [](const golden_run& a, const golden_run& b) { return a.name < b.name; });
  return runs;
}

/// One line for each number and text of a document: its path and its value. Counters at zero are left out, so that a new statistic changes
/// only the runs in which it counts something.
void list_values(const json::value& value, const std::string& path, std::string& text) {
  if (value.is_object()) {
    for (const auto& [key, member] : value.get_object())
      list_values(member, path.empty() ? std::string(key) : path + "." + std::string(key), text);
  } else if (value.is_array()) {
    std::size_t i = 0;
    for (const json::value& element : value.get_array()) list_values(element, fmt::format("{}[{}]", path, i++), text);
  } else if (const std::string shown = json::serialize(value); shown != "0") {
    text += path + " " + shown + "\n";
  }
}

std::string statistics_of(const golden_run& run) {
  const config::machine parameters = preset(run.preset, run.assignments);
  const trace::trace opened = run.open();
  run_options options;
  options.data = run.data;
  options.timing_of_preset = run.assignments.empty();
  options.record = run.record;
  gpu device("gpu", parameters, {{"kernel", &opened}}, options);
  json::object document = accounting::statistics_document(device.run(), parameters, {});
  for (const char* derived : {"tcsim", "config", "hazards", "trace", "utilisation", "limits", "host"}) document.erase(derived);
  std::string text;
  list_values(document, "", text);
  return text;
}

/// The lines by which two texts differ, the first few; empty if they have the same lines, in any order.
std::string difference(const std::string& expected, const std::string& found) {
  const auto lines_of = [](const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    std::sort(lines.begin(), lines.end());
    return lines;
  };
  const std::vector<std::string> was = lines_of(expected), is = lines_of(found);
  std::vector<std::string> changes, gone, come;
  std::set_difference(was.begin(), was.end(), is.begin(), is.end(), std::back_inserter(gone));
  std::set_difference(is.begin(), is.end(), was.begin(), was.end(), std::back_inserter(come));
  if (gone.empty() && come.empty()) return "";
  std::string text = fmt::format("{} lines gone, {} new:\n", gone.size(), come.size());
  for (std::size_t i = 0; i < std::min<std::size_t>(gone.size(), 20); ++i) text += "- " + gone[i] + "\n";
  for (std::size_t i = 0; i < std::min<std::size_t>(come.size(), 20); ++i) text += "+ " + come[i] + "\n";
  return text;
}

class golden_statistics : public testing::TestWithParam<golden_run> {};

TEST_P(golden_statistics, are_unchanged) {
  const fs::path file = project / "tb/unit/device/golden" / ((GetParam().as.empty() ? GetParam().name : GetParam().as) + ".txt");
  const std::string found = statistics_of(GetParam());
  if (std::getenv("TCSIM_WRITE_GOLDEN") != nullptr) {
    fs::create_directories(file.parent_path());
    std::ofstream(file) << found;
    return;
  }
  std::ifstream in(file);
  ASSERT_TRUE(in) << file << " is missing";
  const std::string expected{std::istreambuf_iterator<char>(in), {}};
  EXPECT_EQ(difference(expected, found), "");
}

INSTANTIATE_TEST_SUITE_P(traces, golden_statistics, testing::ValuesIn(golden_runs()), [](const auto& parameter) {
  std::string name = parameter.param.name;
  std::replace(name.begin(), name.end(), '.', '_');
  return name;
});

}  // namespace
}  // namespace tc::device::test::golden_statistics_test
