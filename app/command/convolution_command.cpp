// SPDX-License-Identifier: Apache-2.0
#include <charconv>
#include <iostream>
#include <list>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include <tc/device/gpu.hpp>

#include "atomic_file.hpp"
#include "code_options.hpp"
#include "commands.hpp"
#include "configuration.hpp"
#include "convolution_kernel.hpp"
#include "convolution_report.hpp"
#include "convolution_tensors.hpp"
#include "interruption.hpp"
#include "jitter_report.hpp"
#include "options.hpp"
#include "progress_bar.hpp"
#include "run_recording.hpp"
#include "run_report.hpp"
#include "simulation.hpp"

namespace tcsim {

namespace {

namespace accounting = tc::accounting;
namespace device = tc::device;
namespace kernels = tc::kernels;
constexpr auto arch = convolution_architecture;

using convolution_kernel_list = std::list<convolution_kernel>;

struct convolution_command_options {
  std::string configuration, method{"both"}, padding{"0"}, stride{"1"}, dilation{"1"}, out_file;
  std::vector<std::string> assignments;
  kernels::convolution_problem problem;
  bool shift_with_product = false, show_steps = false, no_data = false;
  unsigned stages = 0, tile = 0, lanes = tc::isa::tensor_lanes;
  std::uint64_t seed = 1;
  unsigned jobs = 1, jitter = 0;
  code_options code;
  verdict_options verdict;
  recording_options recording;
};

/// "2" or "1x0": height x width.
kernels::image_extent extent_of(const char* option, const std::string& text) {
  const auto wrong = [&] {
    return usage_error(fmt::format("{} {}: expected a number, or two of height and width, as in 1 or 0x1", option, text));
  };
  kernels::image_extent extent;
  const char* const end = text.data() + text.size();
  const auto [behind, error] = std::from_chars(text.data(), end, extent.height);
  if (error != std::errc()) throw wrong();
  extent.width = extent.height;
  if (behind == end) return extent;
  if (*behind != 'x') throw wrong();
  const auto [last, second_error] = std::from_chars(behind + 1, end, extent.width);
  if (second_error != std::errc() || last != end) throw wrong();
  return extent;
}

kernels::convolution_problem problem_of(const convolution_command_options& options) {
  kernels::convolution_problem problem = options.problem;
  problem.padding = extent_of("--padding", options.padding);
  problem.stride = extent_of("--stride", options.stride);
  problem.dilation = extent_of("--dilation", options.dilation);
  return problem;
}

std::vector<kernels::convolution_method> methods_of(const convolution_command_options& options) {
  if (options.method == "im2col") return {kernels::convolution_method::im2col};
  if (options.method == "shift") return {kernels::convolution_method::shift};
  return {kernels::convolution_method::im2col, kernels::convolution_method::shift};
}

/// Tensors of their own for each kernel in global memory.
convolution_kernel_list make_kernels(const convolution_command_options& options, const kernel_target& target,
                                     const kernels::convolution_problem& problem, const kernels::convolution_tensors& tensors) {
  convolution_kernel_list list;
  kernels::convolution_options how;
  how.stages = options.stages;
  for (const kernels::convolution_method method : methods_of(options)) {
    how.method = method;
    how.shift_with_product =
        options.shift_with_product && (method == kernels::convolution_method::shift || methods_of(options).size() == 1);
    list.emplace_back(problem, how, arch, target, tensors);
    how.memory_base = region_behind(list.back().plan().memory_end());
  }
  return list;
}

/// Of several kernels the table tells more than the report of a run; its warnings matter all the same.
void print(const convolution_kernel_list& list, const accounting::run_result& result, const tc::config::machine& machine, bool with_units) {
  const accounting::run_summary summary = accounting::summarize(result, machine);
  std::vector<convolution_figures> figures;
  for (const convolution_kernel& kernel : list) figures.push_back(figures_of(kernel, result.kernels.at(figures.size())));
  std::cout << table_of(figures) << '\n' << counters_text(figures) << '\n';
  if (list.size() > 1) {
    std::cout << ratio_text(list.front(), list.back()) << excess_report_of(result, machine);
    print_findings(result);
  } else {
    std::cout << report_of(result, summary, machine);
  }
  if (with_units) std::cout << unit_report_of(summary);
}

/// Runs the kernels one after the other on one machine.
exit_status run_kernels(const convolution_command_options& options, const convolution_kernel_list& list,
                        const tc::config::machine& machine) {
  run_recording recording(options.recording);
  std::vector<tc::trace::trace> traces;
  traces.reserve(list.size());
  std::vector<device::kernel_source> sources;
  for (const convolution_kernel& kernel : list) sources.push_back({kernel.name(), &traces.emplace_back(kernel.trace())});
  const auto again = [&](const tc::config::machine& varied) {
    device::gpu gpu("gpu", varied, sources, run_options_for(varied, !options.no_data));
    return varied_run_of(run_to_end(gpu), varied);
  };
  varied_runs runs(machine, options.jitter, options.jobs, again);
  device::gpu gpu("gpu", machine, sources, recording.with_records(run_options_for(machine, !options.no_data)));
  const accounting::run_result result = recording.run(gpu, runs.any() ? 1 : options.jobs);
  if (result.status != accounting::run_status::finished) return finish_cut_runs(result, machine, recording, runs, options.verdict);
  print(list, result, machine, options.verdict.units);
  return finish_runs(result, machine, recording, runs, options.verdict.strict);
}

exit_status show_steps(const convolution_command_options& options, const tc::config::machine& machine,
                       const kernels::convolution_problem& problem) {
  const unsigned chunk = tc::isa::chunk_lanes;
  if (options.lanes > chunk && options.lanes % chunk != 0)
    throw usage_error(
        fmt::format("--lanes {}: up to {}, or a multiple of {} up to {}", options.lanes, chunk, chunk, tc::isa::tensor_lanes));
  kernels::convolution_options how;
  how.method = kernels::convolution_method::shift;
  const kernels::convolution_plan plan = kernels::make_convolution_plan(problem, how, arch, machine);
  if (options.tile >= plan.position_tiles())
    throw usage_error(fmt::format("--tile {}: the tiles are 0 to {}", options.tile, plan.position_tiles() - 1));
  std::cout << steps_text(plan, options.tile, options.lanes);
  return exit_status::done;
}

exit_status run(const convolution_command_options& options) {
  const interruption_watch watch;
  const tc::config::machine machine = load_configuration(options.configuration, options.assignments);
  const kernels::convolution_problem problem = problem_of(options);
  kernels::check_problem(problem);
  if (options.show_steps || !options.out_file.empty()) {
    const char* const instead = options.show_steps ? "--show-steps" : "--out";
    refuse_recording(options.recording, instead);
    refuse_jitter(options.jitter, instead);
  }
  if (options.show_steps) return show_steps(options, machine, problem);
  const kernels::convolution_tensors tensors = make_convolution_tensors(problem, options.seed, !options.no_data);
  const auto code = code_machine(options.code, options.configuration);
  const convolution_kernel_list list = make_kernels(options, {machine, code ? *code : machine}, problem, tensors);
  if (options.out_file.empty()) return run_kernels(options, list, machine);
  if (list.size() > 1)
    throw usage_error(fmt::format("--out {}: a file holds one kernel; choose --method im2col or --method shift", options.out_file));
  write_atomically(options.out_file, [&](std::ostream& out) { list.front().write(out, progress_listener("writing")); });
  return exit_status::done;
}

void add_problem_options(const cli_command& command, convolution_command_options& options) {
  kernels::convolution_problem& problem = options.problem;
  command.add_option("--batch", problem.batch, "N: images").type_name("N").capture_default_str();
  command.add_option("--height", problem.image.height, "H of the images").type_name("N").required();
  command.add_option("--width", problem.image.width, "W of the images").type_name("N").required();
  command.add_option("--channels", problem.channels, "C; padded with zeros to a multiple of 16").type_name("N").required();
  command.add_option("--filters", problem.filters, "K: channels of the output").type_name("N").required();
  command.add_option("--filter-height", problem.filter.height, "R").type_name("N").capture_default_str();
  command.add_option("--filter-width", problem.filter.width, "S").type_name("N").capture_default_str();
  command.add_option("--padding", options.padding, "Zeros on each side, of height and width").type_name("N|HxW").capture_default_str();
  command.add_option("--stride", options.stride, "Pixels from an output's to the next's; the shift method needs a width of 1")
      .type_name("N|HxW")
      .capture_default_str();
  command.add_option("--dilation", options.dilation, "Pixels from a tap to the next").type_name("N|HxW").capture_default_str();
}

void add_kernel_options(const cli_command& command, convolution_command_options& options) {
  command
      .add_option("--method", options.method,
                  "im2col: every tap's pixels are copied to tensor memory; shift: those of a row's first tap, then they move on by one "
                  "lane; both: one kernel after the other, compared")
      .one_of({"im2col", "shift", "both"})
      .type_name("im2col|shift|both")
      .capture_default_str();
  command.add_flag("--ashift", options.shift_with_product,
                   "shift: tcgen05.mma.ashift moves the pixels instead of tcgen05.shift; the refill then waits for the products");
  command.add_option("--stages", options.stages, "Windows, and tiles of filters, in shared memory (chosen if not given)")
      .type_name("N")
      .between(1U, 4U);
  command.add_option("--seed", options.seed, "Of the random input and filters, integers from -3 to 3").type_name("N").capture_default_str();
  command.add_flag("--show-steps", options.show_steps,
                   "Instead of running, print what the lanes hold in each step of the shift method, and which are disabled");
  command.add_option("--tile", options.tile, "--show-steps: which 128 positions").type_name("N").capture_default_str();
  command.add_option("--lanes", options.lanes, "--show-steps: of a smaller example")
      .type_name("N")
      .between(1U, tc::isa::tensor_lanes)
      .capture_default_str();
}

}  // namespace

void add_convolution_command(const cli_command& app, exit_status& status) {
  const auto command = app.add_subcommand("conv", "Make the kernels of a convolution on tensor memory, run them and check the output");
  const auto options = std::make_shared<convolution_command_options>();
  add_machine_options(command, options->configuration, options->assignments);
  add_problem_options(command, *options);
  add_kernel_options(command, *options);
  add_code_options(command, options->code);
  add_out_option(command, options->out_file, "Write the trace instead of running it; of one method");
  command.add_flag("--no-data", options->no_data, "Count cycles only: compute no values, compare nothing");
  add_verdict_options(command, options->verdict);
  add_jobs_option(command, options->jobs);
  add_jitter_option(command, options->jitter);
  add_recording_options(command, options->recording);
  command.footer(
      built_in_configurations() +
      "\nInput (NHWC) and filters (KRSC) are f16, the output (NPQK) is f32. The output is compared with a direct convolution, "
      "bit for bit. Bytes in the table are those of the kernel's instructions; cycles are those of the run.\n"
      "Exit status: 0 done; 1 wrong output, or warnings with --strict; 2 bad input or usage, nothing written; 3 the model stopped.\n\n"
      "Example: tcsim conv --config blackwell --height 28 --width 28 --channels 64 --filters 64 --filter-height 3 "
      "--filter-width 3 --padding 1\n"
      "Example: tcsim conv --config blackwell --batch 3 --height 9 --width 9 --channels 16 --filters 16 --filter-height 3 "
      "--filter-width 3 "
      "--padding 0x1 --show-steps --lanes 16\n\n" +
      recording_help("tcsim conv --config blackwell --height 8 --width 8 --channels 16 --filters 16 --method shift"));
  command.callback([options, &status] { status = run(*options); });
}

}  // namespace tcsim
