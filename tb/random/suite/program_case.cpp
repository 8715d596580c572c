// SPDX-License-Identifier: Apache-2.0
#include "program_case.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <sstream>
#include <tensor_programs/tensor_program.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <tc/accounting/run_summary.hpp>
#include <tc/config/presets.hpp>
#include <tc/device/gpu.hpp>
#include <tc/parallel/shared_run.hpp>
#include <tc/trace/trace.hpp>
#include <tc/trace/trace_error.hpp>

#include "../program/broken_program.hpp"
#include "../program/random_program.hpp"
#include "../reference/reference_machine.hpp"
#include "child_process.hpp"
#include "failure.hpp"
#include "random_assignments.hpp"
#include "shared_run.hpp"
#include "simulation.hpp"

namespace tcsim::random_programs {

namespace parallel = tc::parallel;
namespace accounting = tc::accounting;
namespace device = tc::device;
namespace trace = tc::trace;
using tc::tensor_programs::random_numbers;

namespace {

trace::trace trace_of(const std::string& text) {
  std::istringstream in(text);
  return trace::trace::read(in, "program");
}

/// The text of a program with what the reference says it leaves. `memory` is global memory before and afterwards.
std::string expecting(const random_program& program, const tc::config::machine& machine, global_bytes& memory) {
  execute(trace_of(program.text()), machine, memory);
  return program.text(memory.regions().at(program.base).data());
}

/// Makes kernels that follow each other. Each reads what the one before has left, or brings along other inputs.
void add_kernels(program_case& to, const tc::config::machine& machine, random_program first, random_numbers& random) {
  constexpr std::uint64_t apart = 0x400000;
  global_bytes memory;
  random_program last = std::move(first);
  program_memory where;
  to.traces.push_back(expecting(last, machine, memory));
  for (unsigned more = random.chance(25) ? random.between(1, 2) : 0; more > 0; --more) {
    where.results += apart;
    where.has_inputs = random.chance(30);
    where.inputs = where.has_inputs ? program_memory().inputs : last.base;
    where.inputs_bytes = where.has_inputs ? program_memory().inputs_bytes : std::min(last.bytes, program_memory().inputs_bytes);
    last = make_random_program(random.next(), machine, where);
    to.traces.push_back(expecting(last, machine, memory));
  }
}

/// Makes the program of a case. Where there is tensor memory, half of the programs are those that use it, which bring along what they
/// expect.
void add_program(program_case& to, const tc::config::machine& machine, bool is_broken, random_numbers& random) {
  const bool uses_tensor_memory = machine.sm.tensor_memory.is_there() && random.chance(50);
  const std::string tensor_program = uses_tensor_memory ? tc::tensor_programs::make_tensor_program(to.seed).text : "";
  const random_program program = uses_tensor_memory ? random_program{} : make_random_program(to.seed, machine);
  if (is_broken) {
    const broken_program broken = uses_tensor_memory ? break_tensor_program(tensor_program, random) : break_program(program, random);
    to.traces = {broken.text};
    to.broken_rule = broken.rule;
    to.outcome = broken.outcome;
  } else if (uses_tensor_memory) {
    to.traces = {tensor_program};
  } else {
    add_kernels(to, machine, program, random);
  }
}

std::string waiting_text(const accounting::run_result& result) {
  std::string text = "it does not finish:";
  for (const std::string& line : result.waiting) text += "\n  " + line;
  return text + "\n";
}

/// Instructions issue once, and each cycle of a warp and each issue slot is accounted for.
std::string wrong_accounts(const accounting::run_result& result, std::uint64_t instructions) {
  std::string text;
  std::uint64_t issued = 0, stalls = 0;
  for (const accounting::warp_result& warp : result.warps) {
    issued += warp.instructions;
    stalls += warp.stalls.sum();
    if (warp.started + warp.instructions + warp.stalls.sum() != warp.last_issue + 1)
      text += fmt::format("warp {} of CTA {}: started at {}, {} instructions and {} stalls, but it exited at {}\n", warp.warp, warp.cta,
                          warp.started, warp.instructions, warp.stalls.sum(), warp.last_issue);
  }
  if (issued != instructions || result.instructions != instructions)
    text += fmt::format("{} instructions, of which warps issued {} and the run {}\n", instructions, issued, result.instructions);
  if (stalls != result.stalls.sum())
    text += fmt::format("stalls of warps are {} cycles, those of the run {}\n", stalls, result.stalls.sum());
  const accounting::issue_slot_use slots = accounting::issue_slots_of(result.cycles);
  if (slots.slots.sum() != result.cycles * slots.schedulers)
    text += fmt::format("{} issue slots in {} cycles of {} schedulers\n", slots.slots.sum(), result.cycles, slots.schedulers);
  if (slots.slots[tc::links::stall_cause::none] != instructions)
    text += fmt::format("schedulers issued {} of {} instructions\n", slots.slots[tc::links::stall_cause::none], instructions);
  return text;
}

std::string wrong_values(const accounting::run_result& result) {
  std::string text;
  for (const accounting::kernel_result& kernel : result.kernels)
    for (const accounting::expectation_result& expectation : kernel.expectations)
      if (expectation.first)
        text += fmt::format("{} bytes differ, the first at {:#x}: {:02x} instead of {:02x}\n", expectation.mismatches,
                            expectation.first->address, expectation.first->got, expectation.first->expected);
  for (const std::string& warning : result.warnings()) text += "a warning: " + warning + "\n";
  return text;
}

device::run_options options_of(const program_case& what, const tc::config::machine& machine, bool data) {
  device::run_options options = run_options_for(machine, data);
  options.monitors = what.monitors;
  options.record = what.records;
  options.is_alone = data;  // the run without data, which must take the same cycles, asks SystemC for each edge
  return options;
}

/// The kernels of a case on its machine, which may run once in a process.
class case_machine {
 public:
  case_machine(const program_case& what, bool data) : machine_(what.machine()) {
    std::vector<device::kernel_source> sources;
    traces_.reserve(what.traces.size());
    for (const std::string& text : what.traces) {
      traces_.push_back(trace_of(text));
      sources.push_back({"program", &traces_.back()});
      instructions_ += traces_.back().summary().instructions;
    }
    gpu_.emplace("gpu", machine_, sources, options_of(what, machine_, data));
  }

  device::gpu& gpu() { return *gpu_; }
  /// Of all kernels.
  std::uint64_t instructions() const { return instructions_; }

 private:
  tc::config::machine machine_;
  std::vector<trace::trace> traces_;
  std::uint64_t instructions_ = 0;
  std::optional<device::gpu> gpu_;
};

/// What is wrong with a run.
std::string wrong_run(const accounting::run_result& result, std::uint64_t instructions) {
  if (result.status != accounting::run_status::finished) return waiting_text(result);
  return wrong_values(result) + wrong_accounts(result, instructions);
}

/// Cycles of a run for timing alone, or what is wrong.
std::string cycles_without_data(const program_case& what) {
  try {
    case_machine machine(what, false);
    const accounting::run_result result = run_to_end(machine.gpu());
    return result.status == accounting::run_status::finished ? std::to_string(result.cycles) : waiting_text(result);
  } catch (...) {
    return current_failure().message;
  }
}

/// Cycles of a run in several processes, or what is wrong; nothing if something couples the SMs.
std::string cycles_in_processes(const program_case& what) {
  try {
    program_case unrecorded = what;
    unrecorded.records = false;
    case_machine machine(unrecorded, true);
    if (!parallel::coupling(machine.gpu()).empty()) return {};
    const accounting::run_result result = run_in_processes(machine.gpu(), what.processes);
    const std::string wrong = wrong_run(result, machine.instructions());
    return wrong.empty() ? std::to_string(result.cycles) : wrong;
  } catch (...) {
    return current_failure().message;
  }
}

/// Runs a legal program and compares all there is to compare. `others`: how else it ran, and cycles of that run.
std::string run_legal(const program_case& what, const std::map<std::string, std::string>& others) {
  case_machine machine(what, true);
  const accounting::run_result result = run_to_end(machine.gpu());
  std::string text = wrong_run(result, machine.instructions());
  for (const auto& [how, cycles] : others)
    if (!cycles.empty() && cycles != std::to_string(result.cycles))
      text += fmt::format("{} cycles, and {}: {}\n", result.cycles, how, cycles);
  return text;
}

/// What becomes of a program: one of the outcomes of broken programs, or that it finishes.
std::string outcome_of(const program_case& what, std::string& message) {
  try {
    case_machine machine(what, true);
    const accounting::run_result result = run_to_end(machine.gpu());
    return result.status == accounting::run_status::stuck ? outcome_of_waiting : "it finishes";
  } catch (const trace::trace_error& error) {
    message = error.what();
    return outcome_of_reading;
  } catch (const usage_error& error) {
    message = error.what();
    return outcome_of_access;
  } catch (const sc_core::sc_report& error) {
    message = error.get_msg();
    return error.get_msg_type();
  }
}

std::string run_broken(const program_case& what) {
  std::string message;
  const std::string outcome = outcome_of(what, message);
  if (outcome == what.outcome) return {};
  return fmt::format("{}: {} ({}) instead of {}\n", what.broken_rule, outcome, message, what.outcome);
}

}  // namespace

tc::config::machine program_case::machine() const { return tc::config::load_configuration(configuration, assignments); }

std::string program_case::command(const std::vector<std::string>& files) const {
  std::string text = fmt::format("tcsim run {} --config {}", fmt::join(files, " "), configuration);
  for (const std::string& assignment : assignments) text += " --set '" + assignment + "'";
  return text;
}

program_case make_case(std::uint64_t seed, const std::vector<std::string>& configurations, unsigned broken_percent) {
  random_numbers random(~seed);
  program_case result;
  result.seed = seed;
  result.configuration = configurations[random.below(static_cast<unsigned>(configurations.size()))];
  result.assignments = random_assignments(result.configuration, parameters_of(result.configuration), random);
  result.monitors = random.chance(25);
  result.records = random.chance(15);
  result.without_data = random.chance(30);
  if (random.chance(20)) {
    result.processes = random.between(2, 4);
    result.assignments.emplace_back("global_memory.hierarchy.enabled=false");  // which would couple the SMs
  }
  add_program(result, result.machine(), random.chance(broken_percent), random);
  return result;
}

std::string run_case(const program_case& what, unsigned seconds) {
  if (!what.broken_rule.empty()) return run_broken(what);
  std::map<std::string, std::string> others;
  const auto run_other = [&](const std::string& how, std::string (*cycles_of)(const program_case&)) {
    const child_process::outcome other = child_process([&] { return cycles_of(what); }, seconds).result();
    others[how] = other.text + other.failure;
  };
  if (what.without_data) run_other("without data", cycles_without_data);
  if (what.processes > 1) run_other(fmt::format("in {} processes", what.processes), cycles_in_processes);
  try {
    return run_legal(what, others);
  } catch (...) {
    return current_failure().message + "\n";
  }
}

}  // namespace tcsim::random_programs
