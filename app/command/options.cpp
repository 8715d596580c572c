// SPDX-License-Identifier: Apache-2.0
#include "options.hpp"

#include <fmt/format.h>

#include <tc/config/presets.hpp>
#include <tc/config/spelling.hpp>

namespace tcsim {

void add_set_option(const cli_command& command, std::vector<std::string>& assignments) {
  command.add_option("--set", assignments, "Change a parameter, as sm.sub_core.tensor_core.dot_product_units=8; may be repeated")
      .type_name("PATH=VALUE")
      .repeatable();
}

void add_machine_options(const cli_command& command, std::string& configuration, std::vector<std::string>& assignments) {
  command.add_option("--config", configuration, "The machine: a JSON file, or the name of a built-in configuration")
      .required()
      .type_name("FILE|NAME");
  add_set_option(command, assignments);
}

void add_jobs_option(const cli_command& command, unsigned& processes) {
  constexpr unsigned most_processes = 1024;
  command
      .add_option("--jobs", processes,
                  "Simulate the SMs in N processes, with the same result. For one kernel whose CTAs all fit at once, without clusters or "
                  "atomics, and with global_memory.hierarchy.enabled=false. With --jitter: N of the runs varied by chance at a time, of "
                  "any kernels")
      .type_name("N")
      .between(1U, most_processes)
      .capture_default_str();
}

void add_verdict_options(const cli_command& command, verdict_options& options) {
  command.add_flag("--units", options.units, "Print also what became of the issue slots, and how busy each kind of unit was");
  command.add_flag("--strict", options.strict, "Exit status 1 for warnings too: undefined values, registers read too early");
}

cli_option add_out_option(const cli_command& command, std::string& file, const std::string& description, const std::string& other_name) {
  return command.add_option("-o,--out," + other_name, file, description).type_name("FILE");
}

std::string built_in_configurations() {
  return "Built-in configurations: " + tc::config::joined(tc::config::preset_names()) +
         ". By product: " + tc::config::joined(tc::config::product_names()) + ".";
}

namespace {

/// An option that may be repeated, and takes one value each time.
void add_repeatable(const cli_command& command, const char* name, std::vector<std::string>& values, const char* help, const char* type) {
  command.add_option(name, values, help).type_name(type).repeatable();
}

}  // namespace

void add_recording_options(const cli_command& command, recording_options& options) {
  command.add_option("--stats", options.statistics_file, "Write all counters as JSON").type_name("FILE");
  command
      .add_option("--stats-interval", options.statistics_interval,
                  "--stats: what the counters count in every N cycles too, as the key `series`")
      .type_name("N");
  command.add_flag("--pictures", options.pictures,
                   "--stats: what `tcsim report` draws too: warps, banks, shared and tensor memory, as the key `pictures`");
  command.add_option("--vcd", options.wave_file, "Record waves (VCD), for GTKWave and other viewers").type_name("FILE");
  add_repeatable(command, "--vcd-scope", options.wave_scopes, "--vcd: as --scope, for waves alone; may be repeated", "PATH");
  command.add_option("--timeline", options.timeline_file, "Record a timeline (Chrome trace events), for Perfetto").type_name("FILE");
  command.add_option("--konata", options.konata_file, "Record a log for the Konata pipeline viewer").type_name("FILE");
  add_repeatable(command, "--scope", options.scopes, "Record only this part of the machine, as sm0 or sm0.subcore1; may be repeated",
                 "PATH");
  command
      .add_option("--window", options.window,
                  "Record only these cycles, as 1000..2000, or these instructions, as instructions:500..700; either end may be left out")
      .type_name("RANGE");
  add_repeatable(command, "--dump", options.dumps,
                 "Write bytes of a memory, before a cycle or at the end, to a file: global:0x1000:256:out.bin, sm0.shared:..., "
                 "sm0.tensor:..., cta0.warp1.registers:0:1024:r.bin@500; may be repeated",
                 "SPACE:BASE:BYTES:FILE[@CYCLE]");
}

std::string recording_help(const std::string& command) {
  return fmt::format(
      "A recording that fails while the model runs, for a full disk or a dump of what is not there, leaves all other results: exit status "
      "2.\n"
      "Example: {} --stats run.json --stats-interval 100 "
      "--vcd run.vcd --timeline run.trace.json --konata run.kanata --scope sm0.subcore0 --window 1000..2000 --dump "
      "sm0.shared:0:0x400:s.bin@1500\n",
      command);
}

}  // namespace tcsim
