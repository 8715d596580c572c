// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>

#include "atomic_file.hpp"
#include "commands.hpp"
#include "input_files.hpp"
#include "options.hpp"
#include "result_store.hpp"
#include "run_page.hpp"
#include "statistics_file.hpp"
#include "sweep_page.hpp"

namespace tcsim {

namespace {

struct report_options {
  std::filesystem::path results;
  std::string output;
};

/// Whether a file begins as every SQLite database does (SQLite, Database File Format, section 1.2).
bool is_database(const std::filesystem::path& file) {
  constexpr std::string_view magic = "SQLite format 3";
  std::array<char, magic.size()> begin{};
  std::ifstream in(file, std::ios::binary);
  return in.read(begin.data(), begin.size()) && std::string_view(begin.data(), begin.size()) == magic;
}

std::string page_of(const std::filesystem::path& results) {
  if (is_database(results)) return sweep_page(result_store::open(results, result_store::access::read));
  try {
    return run_page(read_statistics(results), results.filename().string());
  } catch (const usage_error& error) {
    if (!std::filesystem::is_regular_file(results)) throw;
    throw usage_error(std::string(error.what()) + "; nor are these the results of a sweep, which `tcsim sweep` writes");
  }
}

void write_report(const report_options& options) {
  std::filesystem::path output = options.output;
  if (output.empty()) output = options.results.filename().replace_extension(".html");
  note_input(options.results);
  check_writable(output);
  write_atomically(output, page_of(options.results));
  std::cout << "wrote " << output.string() << '\n';
}

}  // namespace

void add_report_command(const cli_command& app, exit_status& status) {
  const auto report = app.add_subcommand("report", "Write a page that shows a run or the results of a sweep: charts, tables, pictures");
  const auto options = std::make_shared<report_options>();
  report.add_option("RESULTS", options->results, "What `tcsim sweep` wrote, or `tcsim run --stats`").required().type_name("");
  add_out_option(report, options->output, "The page; without, the name of the results with .html, in this folder");
  report.footer(
      "The page is one file that needs nothing else, no network either. A sweep that still runs, or was stopped, can be shown too.\n"
      "Of a run it shows most if it was recorded: tcsim run ... --stats FILE --stats-interval 100 --pictures.\n\n"
      "Example: tcsim report register_banks.sqlite -o report.html\n"
      "Example: tcsim report run.json -o run.html");
  report.callback([options, &status] {
    write_report(*options);
    status = exit_status::done;
  });
}

}  // namespace tcsim
