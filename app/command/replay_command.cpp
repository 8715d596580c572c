// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>

#include <tc/study/compressed_file.hpp>
#include <tc/study/replay.hpp>

#include "commands.hpp"
#include "interruption.hpp"
#include "options.hpp"
#include "progress_bar.hpp"
#include "replay_configuration.hpp"
#include "text_table.hpp"
#include "vector_recording.hpp"
#include "vector_unit.hpp"
#include "wording.hpp"

namespace tcsim {

namespace {

namespace study = tc::study;

struct replay_options {
  std::vector<std::string> files;
  std::string configuration;
  std::vector<std::string> assignments;
  std::size_t max_mismatches = 1;
  std::string record_file;
  random_vectors random;
};

/// Replays files one after the other and gathers what to say about them.
class replay_session {
 public:
  explicit replay_session(const replay_options& options) : options_(options), configurations_(options.configuration, options.assignments) {
    table_.add({"FILE", "OPERATION", "CONFIGURATION", "OUTPUTS", "MISMATCHES"});
  }

  /// Every file is replayed, also after one that is wrong.
  void replay(const std::string& file) {
    try {
      replay_file(file);
    } catch (const study::vector_error& error) {
      refuse(error.what());
    } catch (const usage_error& error) {
      refuse(error.what());
    }
  }

  exit_status finish() const {
    if (files_ > 0) {
      std::cout << table_.text() << details_;
      std::cout << fmt::format("{}, {}, {}\n", counted(files_, "file"), counted(outputs_, "output"),
                               mismatches_ == 1 ? "1 mismatch" : fmt::format("{} mismatches", mismatches_));
      if (options_.configuration.empty()) std::cout << "Each file had the built-in configuration of the generation that it is from.\n";
    }
    if (any_refused_) return exit_status::bad_input;
    return mismatches_ > 0 ? exit_status::check_failed : exit_status::done;
  }

 private:
  void replay_file(const std::string& file) {
    study::vector_reader reader(file);
    const study::vector_header& header = reader.header();
    const replay_configuration& configuration = configurations_(file, header);
    const study::case_arithmetic arithmetic(header, unit_for(file, header, configuration));
    if (const auto warning = origin_warning(file, header, configuration); !warning.empty())
      std::cerr << "tcsim: warning: " << warning << '\n';

    progress_bar progress("replaying " + file, header.cases);
    const study::replay_result result =
        study::replay(reader, arithmetic, options_.max_mismatches, [&](std::uint64_t done) { progress.advance_to(done); });
    table_.add({file, header.name, configuration.name, fmt::format("{}", result.outputs), fmt::format("{}", result.mismatches)});
    ++files_;
    outputs_ += result.outputs;
    mismatches_ += result.mismatches;
    add_details(file, header, arithmetic.unit(), result);
  }

  static tc::numerics::dot_product unit_for(const std::string& file, const study::vector_header& header,
                                            const replay_configuration& configuration) {
    try {
      return make_vector_unit(header, configuration.machine, configuration.name);
    } catch (const usage_error& error) {
      throw usage_error(fmt::format("{}: {}", file, error.what()));
    }
  }

  void add_details(const std::string& file, const study::vector_header& header, const tc::numerics::dot_product& unit,
                   const study::replay_result& result) {
    if (result.first.empty()) return;
    const bool is_one = result.first.size() == 1;
    details_ += fmt::format("\n{}: {}\n", file, is_one ? "first mismatch" : fmt::format("first {} mismatches", result.first.size()));
    for (const study::replay_mismatch& mismatch : result.first) details_ += study::text_of(mismatch, header, unit, 2) + '\n';
  }

  void refuse(const std::string& message) {
    std::cerr << "tcsim: " << message << '\n';
    any_refused_ = true;
  }

  const replay_options& options_;
  replay_configurations configurations_;
  text_table table_{
      {text_table::align::left, text_table::align::left, text_table::align::left, text_table::align::right, text_table::align::right}};
  std::string details_;
  std::uint64_t files_ = 0, outputs_ = 0, mismatches_ = 0;
  bool any_refused_ = false;
};

exit_status record(const replay_options& options) {
  replay_configurations configurations(options.configuration, options.assignments);
  study::vector_header header;
  std::string name = options.configuration;
  if (options.files.empty()) {
    if (options.configuration.empty()) throw usage_error("--operation: --config must say which machine to record");
    header = record_random(options.random, configurations(options.record_file, header), options.record_file);
  } else {
    study::vector_reader input(options.files.front());
    header = input.header();
    const replay_configuration& configuration = configurations(input.name(), header);
    name = configuration.name;
    record_again(input, configuration, options.record_file);
  }
  std::cout << fmt::format("{}: {} of {} as {} computes them\n", options.record_file, counted(header.cases, "case"), header.name, name);
  return exit_status::done;
}

exit_status run(const replay_options& options) {
  const bool is_random = !options.random.operation.empty();
  if (options.files.empty() && !is_random)
    throw usage_error("which vectors? Name files, or give --operation with --record; see tcsim replay --help");
  if (!options.files.empty() && is_random) throw usage_error("--operation makes random vectors and takes no vector files");
  if (is_random && options.record_file.empty()) throw usage_error("--operation: --record must name the file to write");
  if (!options.record_file.empty()) {
    if (options.files.size() > 1)
      throw usage_error(fmt::format("--record takes the inputs of one vector file, not of {}", options.files.size()));
    return record(options);
  }
  replay_session session(options);
  try {
    for (const auto& file : options.files) session.replay(file);
  } catch (const interrupted& stop) {
    session.finish();
    std::cerr << fmt::format("tcsim: {}: these are the files that had been replayed until then\n", stop.what());
    return status_of_interruption();
  }
  return session.finish();
}

}  // namespace

void add_replay_command(const cli_command& app, exit_status& status) {
  const auto command = app.add_subcommand("replay", "Compare recorded matrix products with the arithmetic of a machine, bit for bit");
  const auto options = std::make_shared<replay_options>();
  command.add_option("VECTORS", options->files, "Vector files: fragments of instructions (.bin) or dot products (.dot), plain, .xz or .gz")
      .type_name("");
  command
      .add_option("--config", options->configuration,
                  "The machine: a JSON file, or the name of a built-in configuration. Without it each file has the built-in one of the "
                  "generation that it says it is from")
      .type_name("FILE|NAME");
  add_set_option(command, options->assignments);
  command.add_option("--max-mismatches", options->max_mismatches, "Mismatches of each file to show in detail")
      .type_name("N")
      .capture_default_str();
  command
      .add_option("--record", options->record_file,
                  "Compare nothing; write a vector file with what the machine computes: from the inputs of VECTORS, or of --operation")
      .type_name("FILE");
  const auto operation =
      command
          .add_option("--operation", options->random.operation,
                      "Record random inputs of this operation, such as m16n8k16.f32.f16.f16.f32, wgmma.m64n8k32.f32.e4m3.e4m3, or, in a "
                      "dot file, m128n8k64.block16.f32.e2m1.e2m1.ue4m3")
          .type_name("NAME");
  command.add_option("--cases", options->random.cases, "Random cases to record").type_name("N").capture_default_str().needs(operation);
  command.add_option("--seed", options->random.seed, "What the random inputs depend on")
      .type_name("S")
      .capture_default_str()
      .needs(operation);
  command.footer(
      built_in_configurations() +
      "\nFragment files hold the registers of whole instructions and the device that computed them, dot files single dot products and the "
      "generation. A mismatch is shown with its operands, and with the exponents, truncated terms and sum that led to it.\n"
      "Exit status: 0 every output is as recorded; 1 mismatches; 2 bad input or usage.\n\n"
      "Example: tcsim replay vectors/*.bin.xz --config hopper --set sm.sub_core.tensor_core.arithmetic.f16.alignment_fraction_bits=16\n"
      "Example: tcsim replay --record mine.bin.xz --operation m16n8k16.f32.f16.f16.f32 --cases 1000 --config ampere");
  command.callback([options, &status] { status = run(*options); });
}

}  // namespace tcsim
