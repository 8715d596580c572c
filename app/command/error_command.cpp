// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iostream>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "atomic_file.hpp"
#include "commands.hpp"
#include "configuration.hpp"
#include "error_report.hpp"
#include "error_workload.hpp"
#include "interruption.hpp"
#include "options.hpp"
#include "progress_bar.hpp"

namespace tcsim {

namespace {

namespace study = tc::study;
using tc::numerics::number_format;

struct error_options {
  std::vector<std::string> configurations;
  std::vector<std::string> assignments;
  std::string input = "f16";
  std::string output = "f32";
  std::string operands = "registers";
  std::vector<unsigned> lengths{16, 64, 256, 1024, 4096};
  std::string distribution = "uniform";
  std::uint64_t dots = 1000, seed = 1;
  std::string format = "text";
  std::string output_file;
};

/// A machine under study.
struct named_machine {
  std::string name;
  tc::config::machine machine;
};

std::vector<named_machine> load_machines(const error_options& options) {
  std::vector<named_machine> machines;
  for (const auto& name : options.configurations) machines.push_back({name, load_configuration(name, options.assignments)});
  return machines;
}

/// The datapaths of all machines for a format. For --input all, only those that there are.
std::vector<study::studied_datapath> datapaths_of(const std::vector<named_machine>& machines, const number_format& input,
                                                  const error_options& options) {
  const number_format& output = tc::numerics::find_number_format(options.output);
  const error_operands operands = options.operands == "registers" ? error_operands::registers : error_operands::shared;
  std::vector<study::studied_datapath> datapaths;
  for (const auto& machine : machines) {
    try {
      datapaths.push_back(studied_datapath_of(machine.name, machine.machine, input, output, operands));
    } catch (const std::invalid_argument& error) {
      if (options.input != "all") throw usage_error(fmt::format("{}: {}", machine.name, error.what()));
    }
  }
  return datapaths;
}

/// Whether any of the machines multiplies operands from shared memory otherwise than those from registers.
bool depends_on_operands(const std::vector<named_machine>& machines, const study::error_study_settings& settings) {
  return std::any_of(machines.begin(), machines.end(), [&](const named_machine& each) {
    const auto& arithmetic = each.machine.sm.sub_core.tensor_core.arithmetic;
    return settings.input.storage_bits <= 8 && arithmetic.f8_by_f16.is_there();
  });
}

error_report::study study_input(const std::vector<study::studied_datapath>& datapaths, const study::error_study_settings& settings) {
  progress_bar progress(fmt::format("studying {}", settings.input.name), settings.dots);
  return {std::string(settings.input.name),
          study::study_errors(datapaths, settings, [&progress](std::uint64_t done) { progress.advance_to(done); }), false};
}

error_report report_on(const error_options& options) {
  const auto machines = load_machines(options);
  error_report report{distribution_named(options.distribution), options.output, options.operands, options.dots, options.seed, {}};
  study::error_study_settings settings;
  settings.accumulator = tc::numerics::find_number_format(options.output);
  settings.lengths = options.lengths;
  settings.distribution = report.distribution.distribution;
  settings.dots = options.dots;
  settings.seed = options.seed;
  for (const std::string name : error_input_names) {
    if (options.input != "all" && options.input != name) continue;
    settings.input = tc::numerics::find_number_format(name);
    const auto datapaths = datapaths_of(machines, settings.input, options);
    if (datapaths.empty()) continue;
    try {
      report.studies.push_back(study_input(datapaths, settings));
      report.studies.back().depends_on_operands = depends_on_operands(machines, settings);
    } catch (const interrupted& stop) {
      if (report.studies.empty()) throw;
      std::cerr << fmt::format("tcsim: {}: these are the formats that had been studied until then\n", stop.what());
      break;
    }
  }
  if (report.studies.empty()) throw usage_error("--input all: none of the machines multiplies floating-point numbers");
  return report;
}

void run(const error_options& options) {
  if (!options.output_file.empty()) check_writable(options.output_file);
  const error_report report = report_on(options);
  const std::string content = options.format == "json" ? error_json(report) : error_text(report);
  if (options.output_file.empty())
    std::cout << content;
  else
    write_atomically(options.output_file, content);
}

std::string footer() {
  std::string distributions = "Distributions, rounded into the input format before anything is computed (U uniform, N normal):\n";
  for (const auto& text : study::distribution_texts()) distributions += fmt::format("  {:<11} {}\n", text.name, text.formula);
  return built_in_configurations() + "\n\n" + distributions +
         "\nDot products start from C = 0. One instruction takes 32 bytes of a row; its result is C of the next one. The errors of a chain "
         "of f32 fused multiply-adds and of the exact sum rounded once stand beside those of the machines.\n"
         "  ulp         distance of the numbers of the result format around the exact value\n"
         "  rel         error / sum of |a b|\n"
         "  bias        mean signed error; negative where magnitudes come out too small\n"
         "  nearest     share of results that are the exact value rounded to nearest even\n"
         "  not finite  share of infinities and NaN, which the columns of errors leave out\n\n"
         "Example: tcsim error --config volta --config hopper --input f16 --distribution normal\n"
         "Example: tcsim error --config hopper --set sm.sub_core.tensor_core.arithmetic.f16.alignment_fraction_bits=13 --k 4096 --format "
         "json";
}

void add_study_options(const cli_command& command, error_options& options) {
  std::vector<std::string> inputs(std::begin(error_input_names), std::end(error_input_names));
  inputs.emplace_back("all");
  command
      .add_option("--input", options.input,
                  fmt::format("Format of A and B: {}; all: every one that a machine has", fmt::join(error_input_names, ", ")))
      .type_name("FORMAT")
      .format_of(inputs)
      .capture_default_str();
  command.add_option("--output", options.output, "Format of C and the result: f32 or f16")
      .type_name("FORMAT")
      .format_of({"f32", "f16"})
      .capture_default_str();
  command
      .add_option("--operands", options.operands,
                  "Where instructions have A and B, which matters for e4m3 and e5m2 on Hopper: registers (mma.sync) or shared (wgmma)")
      .type_name("PLACE")
      .one_of({"registers", "shared"})
      .capture_default_str();
  command.add_option("--k", options.lengths, "Length of the dot products; may be repeated")
      .type_name("N")
      .between(1, 1 << 20)
      .repeatable()
      .capture_default_str();
  command.add_option("--distribution", options.distribution, "How the elements of A and B are distributed, see below")
      .type_name("NAME")
      .one_of(distribution_names())
      .capture_default_str();
  command.add_option("--dots", options.dots, "Dot products of each length").type_name("N").positive().capture_default_str();
  command.add_option("--seed", options.seed, "What the random elements depend on").type_name("S").capture_default_str();
}

}  // namespace

void add_error_command(const cli_command& app, exit_status& status) {
  const auto command = app.add_subcommand("error", "Measure the numerical error of machines' dot products against exact arithmetic");
  const auto options = std::make_shared<error_options>();
  command
      .add_option("--config", options->configurations,
                  "The machine: a JSON file, or the name of a built-in configuration; repeated, machines are compared")
      .type_name("FILE|NAME")
      .required()
      .repeatable();
  add_set_option(command, options->assignments);
  add_study_options(command, *options);
  command.add_option("--format", options->format, "text or json").type_name("FORMAT").one_of({"text", "json"}).capture_default_str();
  add_out_option(command, options->output_file, "Write to this file, not to stdout", "--output-file");
  command.footer(footer());
  command.callback([options, &status] {
    run(*options);
    status = interruption() == 0 ? exit_status::done : status_of_interruption();
  });
}

}  // namespace tcsim
