// SPDX-License-Identifier: Apache-2.0
#include "tensor_program.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <tc/accounting/run_result.hpp>

#include "../device/test_machine.hpp"

// Random programs on tensor memory, legal by the rules of the PTX ISA, on the machine and on simple arrays that know nothing of its code.
//
//   TCSIM_RANDOM_PROGRAMS=5000 TCSIM_RANDOM_SEED=1 build/dev/tb/unit/tensor_programs/tc_unit_tensor_programs
//
// runs those of seeds 1 to 5000. A program that fails is left in the working folder as tensor_program_SEED.trace, for tcsim run. With
// TCSIM_RANDOM_OPERATIONS=n as well, programs end after n operations, which finds the one that is wrong.

namespace tc::tensor_programs::tensor_program_test {
namespace {

constexpr unsigned batch_programs = 20;  // kernels of one machine, of which a process can have one

std::uint64_t setting(const char* name, std::uint64_t otherwise) {
  const char* const text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

/// What is wrong with each kernel of a run; empty if nothing is.
std::vector<std::string> mistakes_of(const accounting::run_result& result, std::size_t kernels) {
  std::vector<std::string> mistakes(kernels);
  for (std::size_t i = 0; i < kernels; ++i) {
    std::string& text = mistakes[i];
    if (i >= result.kernels.size() || !result.kernels[i].finished) {
      text += "does not end\n";
      continue;
    }
    for (const auto& expectation : result.kernels[i].expectations)
      if (expectation.first)
        text += fmt::format("{} bytes differ, the first at {:#x}\n", expectation.mismatches, expectation.first->address);
  }
  for (const auto& report : result.ordering_hazards)
    mistakes[report.kernel] += fmt::format("line {}: {} {}\n", report.line, report.instruction, report.what);
  for (const auto& report : result.undefined_values)
    mistakes[report.kernel] += fmt::format("line {}: {} takes an undefined value\n", report.consumer_line, report.consumer);
  for (const auto& report : result.hazards)
    mistakes[report.kernel] += fmt::format("line {}: {} is too early\n", report.consumer_line, report.consumer);
  return mistakes;
}

using judge = std::function<bool(const std::string& mistakes)>;

/// Runs programs as the kernels of one machine, and ends the process: 0 if each is as it should be.
[[noreturn]] void run_batch(const std::vector<tensor_program>& programs, const judge& is_right) {
  bool all_right = true;
  const auto complain = [&all_right](const tensor_program& program, const std::string& what) {
    all_right = false;
    const std::filesystem::path path = std::filesystem::current_path() / fmt::format("tensor_program_{}.trace", program.seed);
    std::ofstream(path) << program.text;
    fmt::print(stderr, "seed {}, see {}:\n{}\n", program.seed, path.string(), what);
  };
  try {
    std::vector<std::string> texts;
    for (const tensor_program& program : programs) texts.push_back(program.text);
    device::run_options options;
    options.timing_of_preset = true;
    options.monitors = true;
    device::test::test_machine machine(device::test::preset("blackwell"), texts, options);
    const std::vector<std::string> mistakes = mistakes_of(machine.run(), texts.size());
    for (std::size_t i = 0; i < texts.size(); ++i)
      if (!is_right(mistakes[i])) complain(programs[i], mistakes[i].empty() ? "no mistake is reported" : mistakes[i]);
  } catch (const std::exception& error) {
    complain(programs.front(), fmt::format("this seed or one of the {} behind it (TCSIM_RANDOM_PROGRAMS=1 runs one alone): {}",
                                           programs.size() - 1, error.what()));
  }
  std::fflush(stderr);
  std::_Exit(all_right ? 0 : 1);
}

/// Runs the programs of some seeds, without those that are not `wanted`.
void run_all(std::uint64_t programs, const std::function<program_options(std::uint64_t seed)>& options_of,
             const std::function<bool(const tensor_program&)>& wanted, const judge& is_right) {
  const std::uint64_t begin = setting("TCSIM_RANDOM_SEED", 1), end = begin + setting("TCSIM_RANDOM_PROGRAMS", programs);
  for (std::uint64_t first = begin; first < end; first += batch_programs) {
    std::vector<tensor_program> batch;
    for (std::uint64_t seed = first; seed < std::min(end, first + batch_programs); ++seed) {
      tensor_program program = make_tensor_program(seed, options_of(seed));
      if (wanted(program)) batch.push_back(std::move(program));
    }
    if (batch.empty()) continue;
    EXPECT_EXIT(run_batch(batch, is_right), testing::ExitedWithCode(0), "");
  }
}

TEST(tensor_programs_DeathTest, leave_what_simple_arrays_hold_and_no_warning) {
  program_options options;
  options.most_operations = static_cast<unsigned>(setting("TCSIM_RANDOM_OPERATIONS", options.most_operations));
  run_all(
      40, [&options](std::uint64_t) { return options; }, [](const tensor_program&) { return true; },
      [](const std::string& mistakes) { return mistakes.empty(); });
}

TEST(tensor_programs_DeathTest, are_reported_where_a_wait_is_missing) {
  const auto without_a_wait = [](std::uint64_t seed) {
    program_options options;
    options.left_out = static_cast<unsigned>(seed % 4);
    return options;
  };
  run_all(
      10, without_a_wait, [](const tensor_program& program) { return program.needed_waits > program.seed % 4; },
      [](const std::string& mistakes) { return mistakes.find(" meets ") != std::string::npos; });
}

}  // namespace
}  // namespace tc::tensor_programs::tensor_program_test
