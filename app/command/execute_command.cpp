// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <tc/execution/grid_execution.hpp>
#include <tc/execution/memory_comparison.hpp>
#include <tc/execution/trace_recorder.hpp>
#include <tc/isa/opcode.hpp>
#include <tc/launches/launch_check.hpp>
#include <tc/study/compressed_file.hpp>

#include "atomic_file.hpp"
#include "commands.hpp"
#include "configuration.hpp"
#include "launch_files.hpp"
#include "options.hpp"
#include "progress_bar.hpp"
#include "text_table.hpp"
#include "wording.hpp"

namespace tcsim {

namespace {

namespace execution = tc::execution;

struct execute_options {
  std::string launch, configuration, trace;
  std::vector<std::string> assignments;
  bool values = false;  ///< in the trace
  execution::execution_limits limits;
};

/// What instructions are by what they do, for people.
std::string kind_of(const tc::isa::opcode_info& row) {
  using tc::isa::execution_unit;
  using tc::isa::memory_space;
  switch (row.unit) {
    case execution_unit::tensor:
      return "matrix";
    case execution_unit::fp32:
      return "f32 and integer multiply-add";
    case execution_unit::integer:
      return "integer";
    case execution_unit::half:
      return "f16";
    case execution_unit::fp64:
      return "f64";
    case execution_unit::special_function:
      return "special function";
    case execution_unit::uniform:
      return "uniform";
    case execution_unit::branch:
      return "control flow";
    case execution_unit::constant_load:
      return "constant load";
    case execution_unit::load_store:
      break;
    default:
      return "other";
  }
  switch (row.memory.space) {
    case memory_space::global:
      return "global memory";
    case memory_space::shared:
      return "shared memory";
    case memory_space::local:
      return "local memory";
    case memory_space::generic:
      return "generic memory";
    default:
      return "between lanes, fences";
  }
}

std::string kinds_text(const execution::execution_counts& counts) {
  std::vector<std::pair<std::string, std::uint64_t>> kinds;
  const auto add = [&kinds](const std::string& kind, std::uint64_t count) {
    const auto found = std::find_if(kinds.begin(), kinds.end(), [&](const auto& each) { return each.first == kind; });
    if (found == kinds.end())
      kinds.emplace_back(kind, count);
    else
      found->second += count;
  };
  for (std::size_t op = 0; op < counts.instructions.size(); ++op)
    if (counts.instructions[op] != 0) add(kind_of(tc::isa::info(static_cast<tc::isa::opcode>(op))), counts.instructions[op]);
  if (counts.warpgroup_products != 0) {
    add("warpgroup matrix", counts.warpgroup_products);
    for (auto& each : kinds)
      if (each.first == "other") each.second -= counts.warpgroup_products;
  }
  std::stable_sort(kinds.begin(), kinds.end(), [](const auto& x, const auto& y) { return x.second > y.second; });
  std::string text;
  for (const auto& [kind, count] : kinds)
    if (count != 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, kind);
  return text;
}

std::string counts_text(const execution::execution_result& result) {
  const execution::execution_counts& counts = result.counts;
  using align = text_table::align;
  text_table table({align::left, align::left});
  const std::uint64_t total = counts.total();
  table.add({"executed", fmt::format("{} of {} in {}", counted(total, "warp instruction"), counted(counts.warps, "warp"),
                                     counted(counts.ctas, "CTA"))});
  table.add({"kinds", kinds_text(counts)});
  table.add(
      {"lanes", fmt::format("{:.1f} of 32 on average", total == 0 ? 0.0 : static_cast<double>(counts.lanes) / static_cast<double>(total))});
  table.add({"divergence", fmt::format("warps divided {}; {} executed by a part of a warp", counted(counts.divergent_branches, "time"),
                                       counted(counts.partial, "instruction"))});
  table.add({"memory", fmt::format("{} bytes read, {} bytes written, in sectors of {}", result.memory.bytes_read(),
                                   result.memory.bytes_written(), execution::global_memory::sector_bytes)});
  return table.text(2);
}

std::string differences_text(const execution::memory_comparison& compared) {
  using align = text_table::align;
  text_table table({align::left, align::left, align::left});
  table.add({"address", "got", "expected"});
  for (const auto& each : compared.differences)
    table.add({fmt::format("{:#x}", each.address), fmt::format("{:0{}x}", each.got, 2 * each.bytes),
               fmt::format("{:0{}x}", each.expected, 2 * each.bytes)});
  return table.text(2);
}

/// How the memory behind the launch compares with what was recorded.
exit_status show_comparison(const tc::launches::launch& launch, const execution::memory_comparison& compared) {
  if (compared.recorded == 0) {
    std::cout << launch.file << ": done; memory after the launch was not recorded\n";
    return exit_status::done;
  }
  if (compared.is_exact()) {
    std::cout << launch.file << ": exact: " << compared.bytes << " bytes are as recorded\n";
    return exit_status::done;
  }
  const std::string within = compared.within == 0 ? ""
                                                  : fmt::format("{} differ by at most {:.3g} units in the last place, as the launch allows",
                                                                counted(compared.within, "element"), compared.largest_distance);
  if (compared.differing == 0) {
    std::cout << launch.file << ": within the tolerance: " << compared.bytes << " bytes compared; " << within << '\n';
    return exit_status::done;
  }
  std::cout << launch.file << ": differs: " << counted(compared.differing, "element") << " of " << compared.bytes
            << " bytes are not as recorded" << (within.empty() ? "" : "; " + within) << "; the first ones:\n"
            << differences_text(compared);
  return exit_status::check_failed;
}

/// Executes a launch; with --save-trace the trace is written as well, whole or not at all.
execution::execution_result execute_files(const launch_files& files, const tc::config::machine& machine, const execute_options& options) {
  progress_bar progress("executing " + files.launch.kernel, files.launch.grid.count());
  const auto execute = [&](execution::execution_observer* observer) {
    return execution::execute(
        files.launch, files.kernel, machine, options.limits, [&progress](std::uint64_t ended) { progress.advance_to(ended); }, observer);
  };
  if (options.trace.empty()) return execute(nullptr);
  check_writable(options.trace);
  std::optional<execution::execution_result> result;
  write_atomically(options.trace, [&](std::ostream& file) {
    tc::study::write_compressed(file, tc::study::compression_of(options.trace), [&](std::ostream& text) {
      tc::trace::kernel_header header = execution::timing_header(files.launch, files.kernel);
      header.has_data = options.values;
      execution::trace_recorder recorder(std::move(header), {}, text, options.values ? &files.launch : nullptr);
      result = execute(&recorder);
    });
  });
  return *std::move(result);
}

exit_status execute_launch(const execute_options& options) {
  const launch_files files = read_launch_files(options.launch);
  const auto messages = tc::launches::differences(files.launch, files.kernel, files.records);
  if (!messages.empty()) throw usage_error(messages.front());
  const std::string name = options.configuration.empty() ? configuration_for(files.kernel) : options.configuration;
  const tc::config::machine machine = load_configuration(name, options.assignments);
  const execution::execution_result result = execute_files(files, machine, options);
  const execution::memory_comparison compared = execution::compare(files.launch, result.memory);
  const exit_status status = show_comparison(files.launch, compared);
  std::cout << counts_text(result);
  for (const std::string& refused : result.refused) std::cerr << "tcsim: note: " << refused << "; no warp came there\n";
  return status;
}

}  // namespace

void add_execute_command(const cli_command& app, exit_status& status) {
  const auto command = app.add_subcommand(
      "execute", "Execute a launch without time: all of its values, bit for bit, compared with the memory that was recorded");
  const auto options = std::make_shared<execute_options>();
  command.add_option("LAUNCH", options->launch, "The folder of a launch, or a packed one").required().type_name("");
  command
      .add_option("--config", options->configuration,
                  "The machine whose tensor cores multiply: a file, or the name of a built-in one. Left out, the one that the code is for")
      .type_name("FILE|NAME");
  add_set_option(command, options->assignments);
  command.add_option("--limit", options->limits.cta_instructions, "Warp instructions of a CTA before the kernel counts as endless")
      .type_name("N")
      .capture_default_str();
  const cli_option trace =
      command
          .add_option("--save-trace", options->trace,
                      "Write what the warps did as a trace that `tcsim run` takes. Compressed if its name ends in .xz or .gz")
          .type_name("FILE");
  command
      .add_flag("--values", options->values,
                "Into the trace: memory before the launch, and what was recorded behind it, so that the machine computes everything anew "
                "and compares; without, the trace is for timing alone")
      .needs(trace);
  command.footer(
      "Exit status: 0 memory is as recorded, or nothing was; 1 it differs; 2 the launch cannot be read or contradicts its code; 3 the "
      "kernel "
      "did what no GPU does for it: an access outside of its memory, a jump into nothing, no end.\n\n"
      "Example: tcsim execute launches/vector_add");
  command.callback([options, &status] { status = execute_launch(*options); });
}

}  // namespace tcsim
