#include "report_command.hpp"

#include <filesystem>
#include <iostream>
#include <memory>
#include <string>

#include "atomic_file.hpp"
#include "result_store.hpp"
#include "sweep_page.hpp"

namespace tcsim {

namespace {

struct report_options {
  std::filesystem::path results;
  std::filesystem::path output;
};

void write_report(const report_options& options) {
  auto output = options.output;
  if (output.empty()) output = options.results.filename().replace_extension(".html");
  std::error_code missing;
  if (std::filesystem::equivalent(output, options.results, missing))
    throw usage_error(output.string() + ": the report would replace the results");
  check_writable(output);
  write_atomically(output, sweep_page(result_store::open(options.results, result_store::access::read)));
  std::cout << "wrote " << output.string() << '\n';
}

}  // namespace

void add_report_command(CLI::App& app, exit_status& status) {
  auto* const report = app.add_subcommand("report", "Write a page that shows the results of a sweep: charts, tables, comparisons");
  const auto options = std::make_shared<report_options>();
  report->add_option("RESULTS", options->results, "What `tcsim sweep` wrote")->required()->type_name("");
  report->add_option("-o,--output", options->output, "The page; without, the name of the results with .html, in this folder")
      ->type_name("FILE.html");
  report->footer(
      "The page is one file that needs nothing else, no network either. A sweep that still runs, or was stopped, can be shown too.\n\n"
      "Example: tcsim report register_banks.sqlite -o report.html");
  report->callback([options, &status] {
    write_report(*options);
    status = exit_status::done;
  });
}

}  // namespace tcsim
