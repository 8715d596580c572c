// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <tc/config/spelling.hpp>
#include <tc/device/gpu.hpp>

#include "atomic_file.hpp"
#include "code_options.hpp"
#include "commands.hpp"
#include "configuration.hpp"
#include "gemm_figures.hpp"
#include "gemm_kernel.hpp"
#include "gemm_parameters.hpp"
#include "interruption.hpp"
#include "jitter_report.hpp"
#include "options.hpp"
#include "progress_bar.hpp"
#include "run_recording.hpp"
#include "run_report.hpp"
#include "simulation.hpp"
#include "text_table.hpp"

namespace tcsim {

namespace {

std::string peak_percent(double share) { return fmt::format("{:.2f} %", 100 * share); }

std::string comparison_of(const gemm_figures& row) {
  if (!row.is_checked) return "not compared";
  const std::string verdict = product_verdict(row.mismatches, row.undefined, row.wrong_addresses);
  return row.compared == row.elements() ? verdict : fmt::format("{}, {} of {} outputs checked", verdict, row.compared, row.elements());
}

std::string verdict_of(const gemm_figures& row) {
  const std::string verdict = comparison_of(row);
  return row.beyond_the_model > 0 ? fmt::format("{}; beyond the model, {:.2f} times", verdict, row.beyond_the_model) : verdict;
}

/// A table with a row for each GEMM.
std::string table_of(const std::vector<gemm_figures>& figures) {
  using align = text_table::align;
  text_table table({align::right, align::right, align::right, align::left, align::left, align::right, align::right, align::right,
                    align::right, align::right, align::left});
  table.add({"M", "N", "K", "PRECISION", "INSTRUCTION", "CTAS", "CYCLES", "MAC/CYCLE", "OF MACHINE", "OF SMS USED", "RESULT"});
  for (const gemm_figures& row : figures)
    table.add({fmt::format("{}", row.problem.m), fmt::format("{}", row.problem.n), fmt::format("{}", row.problem.k),
               std::string(row.problem.precision.name), row.instruction, fmt::format("{}", row.ctas), fmt::format("{}", row.cycles),
               fmt::format("{:.1f}", row.multiply_accumulates_per_cycle), peak_percent(row.share_of_machine),
               peak_percent(row.share_of_sms_used), verdict_of(row)});
  return table.text();
}

/// The same as comma-separated values, for plots. The columns are always the same: those of the runs of --jitter are empty without it.
std::string csv_of(const std::vector<gemm_figures>& figures, const varied_runs& runs) {
  std::string text =
      "m,n,k,precision,instruction,ctas,cycles,mac_per_cycle,share_of_machine,share_of_sms_used,mismatches,undefined,beyond_the_model,"
      "cycles_median,cycles_least,cycles_most\n";
  for (std::size_t i = 0; i < figures.size(); ++i) {
    const gemm_figures& row = figures[i];
    text +=
        fmt::format("{},{},{},{},{},{},{},{:.3f},{:.6f},{:.6f},{},{}", row.problem.m, row.problem.n, row.problem.k,
                    row.problem.precision.name, row.instruction, row.ctas, row.cycles, row.multiply_accumulates_per_cycle,
                    row.share_of_machine, row.share_of_sms_used, row.is_checked ? fmt::format("{},{}", row.mismatches, row.undefined) : ",",
                    row.beyond_the_model > 0 ? fmt::format("{:.3f}", row.beyond_the_model) : "");
    const spread cycles = runs.ended().empty() ? spread{} : runs.cycles_of(i);
    text += runs.ended().empty() ? ",,,\n" : fmt::format(",{},{},{}\n", cycles.median, cycles.least, cycles.most);
  }
  return text;
}

namespace accounting = tc::accounting;
namespace device = tc::device;
namespace kernels = tc::kernels;

using gemm_kernel_list = std::vector<std::unique_ptr<gemm_kernel>>;

struct gemm_options {
  std::string configuration, architecture, instructions{"mma"}, tile, warps, out_file, csv_file;
  std::vector<std::string> assignments, precisions{"mixed"};
  std::vector<unsigned> sizes;
  unsigned m = 0, n = 0, k = 0, stages = 0;
  bool single_buffer = false, no_data = false;
  std::uint64_t seed = 1;
  unsigned jobs = 1, jitter = 0;
  code_options code;
  verdict_options verdict;
  recording_options recording;
};

/// An option that is numbers with an x between them, if it is given.
void check_product(const char* option, const std::string& text, std::size_t count, const char* example) {
  if (text.empty()) return;
  try {
    read_number_product(text, count, example);
  } catch (const std::invalid_argument& error) {
    throw usage_error(fmt::format("{} {}: {}", option, text, error.what()));
  }
}

/// Throws usage_error for options that do not go together.
void check(const gemm_options& options) {
  if (options.instructions == "wgmma") {
    if (!options.warps.empty() || options.single_buffer)
      throw usage_error(
          "--warps and --single-buffer are for --instructions mma; wgmma takes --stages, and a warpgroup for each 64 rows of the tile");
  } else if (options.stages != 0) {
    throw usage_error("--stages is for --instructions wgmma");
  }
  check_product("--tile", options.tile, gemm_tile_extents, gemm_tile_example);
  check_product("--warps", options.warps, gemm_warp_extents, gemm_warps_example);
  const bool has_extents = options.m != 0 || options.n != 0 || options.k != 0;
  if (has_extents == !options.sizes.empty()) throw usage_error("which size? Give --size for square matrices, or all of -m, -n and -k");
  if (has_extents && (options.m == 0 || options.n == 0 || options.k == 0))
    throw usage_error("-m, -n and -k belong together: give all three");
}

/// A kernel for each precision and size.
std::vector<gemm_parameters> parameters_of(const gemm_options& options) {
  gemm_parameters each;
  each.instructions = options.instructions == "wgmma" ? gemm_instructions::wgmma : gemm_instructions::mma;
  each.tile = options.tile;
  each.warps = options.warps;
  each.stages = options.stages;
  each.single_buffer = options.single_buffer;
  each.seed = options.seed;
  each.data = !options.no_data;
  each.m = options.m;
  each.n = options.n;
  each.k = options.k;
  const std::vector<unsigned> sizes = options.sizes.empty() ? std::vector<unsigned>{0} : options.sizes;
  std::vector<gemm_parameters> list;
  for (const std::string& precision : options.precisions) {
    each.precision = precision;
    for (const unsigned size : sizes) {
      each.size = size;
      list.push_back(each);
    }
  }
  return list;
}

/// Each kernel has matrices of its own in global memory.
gemm_kernel_list make_kernels(const gemm_options& options, const kernel_target& target) {
  check(options);
  const tc::isa::architecture arch = gemm_architecture(options.architecture, target, "--arch");
  gemm_kernel_list list;
  for (const gemm_parameters& parameters : parameters_of(options)) {
    list.push_back(list.empty() ? make_gemm_kernel(parameters, arch, target)
                                : make_gemm_kernel(parameters, arch, target, region_behind(list.back()->memory_end())));
  }
  return list;
}

void write_trace(const gemm_options& options, const gemm_kernel_list& list) {
  if (list.size() != 1) throw usage_error(fmt::format("--out {}: a file holds one kernel; these are {}", options.out_file, list.size()));
  write_atomically(options.out_file, [&](std::ostream& out) { list.front()->write(out, progress_listener("writing")); });
}

/// The table; of a single kernel also what `tcsim run` says.
void print(const std::vector<gemm_figures>& figures, const accounting::run_result& result, const tc::config::machine& machine,
           bool with_units) {
  const accounting::run_summary summary = accounting::summarize(result, machine);
  std::cout << table_of(figures);
  if (figures.size() == 1) {
    std::cout << '\n' << report_of(result, summary, machine);
  } else {
    std::cout << excess_report_of(result, machine);
    print_findings(result);
  }
  if (with_units) std::cout << unit_report_of(summary);
}

/// Runs the kernels one after the other on one machine.
exit_status run_kernels(const gemm_options& options, const gemm_kernel_list& list, const tc::config::machine& machine) {
  run_recording recording(options.recording, options.csv_file);
  std::vector<tc::trace::trace> traces;
  traces.reserve(list.size());
  std::vector<device::kernel_source> sources;
  for (const auto& kernel : list) sources.push_back({kernel->name(), &traces.emplace_back(kernel->trace())});
  const auto again = [&](const tc::config::machine& varied) {
    device::gpu gpu("gpu", varied, sources, run_options_for(varied, !options.no_data));
    return varied_run_of(run_to_end(gpu), varied);
  };
  varied_runs runs(machine, options.jitter, options.jobs, again);
  device::gpu gpu("gpu", machine, sources, recording.with_records(run_options_for(machine, !options.no_data)));
  const accounting::run_result result = recording.run(gpu, runs.any() ? 1 : options.jobs);
  if (result.status != accounting::run_status::finished) return finish_cut_runs(result, machine, recording, runs, options.verdict);

  std::vector<gemm_figures> figures;
  for (std::size_t i = 0; i < list.size(); ++i) figures.push_back(figures_of(*list[i], result.kernels[i], machine));
  print(figures, result, machine, options.verdict.units);
  const exit_status status = finish_runs(result, machine, recording, runs, options.verdict.strict);
  if (!options.csv_file.empty()) write_atomically(options.csv_file, csv_of(figures, runs));
  return status;
}

exit_status run(const gemm_options& options) {
  const interruption_watch watch;
  const tc::config::machine machine = load_configuration(options.configuration, options.assignments);
  const auto code = code_machine(options.code, options.configuration);
  const gemm_kernel_list list = make_kernels(options, {machine, code ? *code : machine});
  if (options.out_file.empty()) return run_kernels(options, list, machine);
  refuse_recording(options.recording, "--out");
  refuse_jitter(options.jitter, "--out");
  write_trace(options, list);
  return exit_status::done;
}

void add_problem_options(const cli_command& command, gemm_options& options) {
  command.add_option("--size", options.sizes, "M = N = K; several make a table").delimiter(',').type_name("N[,N...]");
  command.add_option("-m", options.m, "Rows of A and D").type_name("N");
  command.add_option("-n", options.n, "Columns of B and D").type_name("N");
  command.add_option("-k", options.k, "Columns of A, rows of B").type_name("N");
  command
      .add_option("--precision", options.precisions,
                  "Types: " + tc::config::joined(kernels::precision_names()) +
                      ". f16 accumulates in f16, mixed multiplies f16 and accumulates in f32; b1 counts xor, b1.and conjunctions. Other "
                      "names do too, as fp16, int8, and fp8 for e4m3")
      .delimiter(',')
      .type_name("NAME[,NAME...]")
      .capture_default_str();
}

void add_kernel_options(const cli_command& command, gemm_options& options) {
  command
      .add_option("--instructions", options.instructions,
                  "mma: warps multiply fragments in registers; wgmma: warpgroups multiply tiles in shared memory (Hopper)")
      .one_of({"mma", "wgmma"})
      .type_name("mma|wgmma")
      .capture_default_str();
  command.add_option("--tile", options.tile, "Elements of m and n that a CTA computes, and of k in shared memory (chosen if not given)")
      .type_name("MxNxK");
  command.add_option("--warps", options.warps, "mma: warps of a CTA along m and n (chosen if not given)").type_name("MxN");
  command.add_flag("--single-buffer", options.single_buffer, "mma: load, then multiply: no tile and no fragment is loaded ahead");
  command.add_option("--stages", options.stages, "wgmma: tiles of k in shared memory (chosen if not given)")
      .type_name("N")
      .between(1U, 1024U);
  command.add_option("--arch", options.architecture, "Architecture to make code for, if the machine runs several").type_name("sm_NN");
  command.add_option("--seed", options.seed, "Of the random A and B").type_name("N").capture_default_str();
}

}  // namespace

void add_gemm_command(const cli_command& app, exit_status& status) {
  const auto command = app.add_subcommand("gemm", "Make the kernel of a matrix product D = A x B, run it and check D");
  const auto options = std::make_shared<gemm_options>();
  add_machine_options(command, options->configuration, options->assignments);
  add_problem_options(command, *options);
  add_kernel_options(command, *options);
  add_code_options(command, options->code);
  add_out_option(command, options->out_file, "Write the trace instead of running it");
  command.add_option("--csv", options->csv_file, "Write the table as comma-separated values too").type_name("FILE");
  command.add_flag("--no-data", options->no_data, "Count cycles only: compute no values, compare nothing");
  add_verdict_options(command, options->verdict);
  add_jobs_option(command, options->jobs);
  add_jitter_option(command, options->jitter);
  add_recording_options(command, options->recording);
  command.footer(
      built_in_configurations() +
      "\nA is row-major, B column-major, D row-major. MAC: multiply-accumulates. The peak is what the tensor cores multiply in the "
      "precision of the row.\n"
      "Exit status: 0 done; 1 wrong product, or warnings with --strict; 2 bad input or usage, nothing written; 3 the model stopped.\n\n"
      "Example: tcsim gemm --config turing_geforce --size 128,256,384,512 --precision mixed,f16,s8,s4,b1\n\n" +
      recording_help("tcsim gemm --config turing --size 128"));
  command.callback([options, &status] { status = run(*options); });
}

}  // namespace tcsim
