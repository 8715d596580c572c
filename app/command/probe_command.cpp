// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <tc/config/spelling.hpp>
#include <tc/study/probe.hpp>

#include "atomic_file.hpp"
#include "commands.hpp"
#include "configuration.hpp"
#include "interruption.hpp"
#include "options.hpp"
#include "probe_report.hpp"
#include "probe_targets.hpp"
#include "progress_bar.hpp"

namespace tcsim {

namespace {

struct probe_options {
  std::string configuration;
  std::vector<std::string> assignments;
  std::string input = "all", output = "all";
  unsigned k = 0;  ///< 0: four times the k of one instruction
  std::string format = "text";
  std::string output_file;
};

probe_result probe(const probe_target& target, const probe_options& options) {
  const tc::study::modelled_unit unit(target.unit);
  const auto& types = unit.types();
  tc::study::probe_effort effort;
  effort.k = options.k == 0 ? target.k : options.k;
  probe_result result{target.input, target.label, types, effort.k, {}};
  if (types.a.is_floating_point())
    result.findings = tc::study::probe_datapath(unit, effort);
  else
    result.findings = tc::study::probe_integers(unit, effort.k);
  return result;
}

/// Or those that had been examined when a signal asked for the end.
std::vector<probe_result> probe_all(const std::vector<probe_target>& targets, const probe_options& options) {
  std::vector<probe_result> results;
  progress_bar progress("probing", targets.size());
  for (const probe_target& target : targets) {
    try {
      progress.advance_to(results.size(), target.label);
    } catch (const interrupted& stop) {
      if (results.empty()) throw;
      std::cerr << "tcsim: " << stop.what() << ": these are the formats that had been examined until then\n";
      break;
    }
    results.push_back(probe(target, options));
  }
  return results;
}

exit_status run(const probe_options& options) {
  if (!options.output_file.empty()) check_writable(options.output_file);
  const auto machine = load_configuration(options.configuration, options.assignments);
  const std::vector<probe_result> results =
      probe_all(probe_targets(machine.sm.sub_core.tensor_core, options.input, options.output), options);
  const std::string content = options.format == "json" ? probe_json(machine.name, results) : probe_text(machine.name, results);
  if (options.output_file.empty())
    std::cout << content;
  else
    write_atomically(options.output_file, content);
  if (interruption() != 0) return status_of_interruption();
  const bool all_explained = std::all_of(results.begin(), results.end(), [](const probe_result& result) { return result.explained(); });
  return all_explained ? exit_status::done : exit_status::check_failed;
}

constexpr auto how =
    "The tensor cores' dot products are called with chosen inputs, as experimenters did on the V100, and nothing else is looked at. Rows "
    "of one element show widths and rounding, longer rows groups and their order. Every answer comes with the experiment that shows it, "
    "and "
    "with the reason where formats or rows cannot show it. In the end the inferred description must explain thousands of random dot "
    "products; if it does not, the first counterexample is printed and the exit status is 1.";

}  // namespace

void add_probe_command(const cli_command& app, exit_status& status) {
  const auto command = app.add_subcommand("probe", "Infer the arithmetic of the tensor cores from outside, by experiments");
  const auto options = std::make_shared<probe_options>();
  std::vector<std::string> inputs = probe_inputs();
  inputs.insert(inputs.begin(), "all");
  command.add_option("--config", options->configuration, "The machine: a JSON file, or the name of a built-in one")
      .type_name("FILE")
      .required();
  add_set_option(command, options->assignments);
  command.add_option("--input", options->input, fmt::format("Format of A and B, or a block-scaled kind: {}", tc::config::joined(inputs)))
      .type_name("FORMAT")
      .format_of(inputs);
  command.add_option("--output", options->output, "Format of C and D: all, f32, f16, f64 or s32")
      .type_name("FORMAT")
      .format_of({"all", "f32", "f16", "f64", "s32"});
  command.add_option("--k", options->k, "Longest row, in elements; without, four times the k of one instruction, so that chains show")
      .type_name("N")
      .between(1, 4096);
  command.add_option("--format", options->format, "text or json; text by default").type_name("FORMAT").one_of({"text", "json"});
  add_out_option(command, options->output_file, "Write to this file, not to stdout", "--output-file");
  command.footer(fmt::format("{}\n\n{}\n\nExample: tcsim probe --config volta --input f16", how, built_in_configurations()));
  command.callback([options, &status] { status = run(*options); });
}

}  // namespace tcsim
