// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <filesystem>
#include <iostream>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "atomic_file.hpp"
#include "commands.hpp"
#include "input_files.hpp"
#include "options.hpp"
#include "result_store.hpp"
#include "results_query.hpp"
#include "sweep_remarks.hpp"

namespace tcsim {

namespace {

struct results_options {
  std::string file, format{"table"}, output;
  std::vector<std::string> order;
  results_query query;
};

/// From "column", "column:asc" or "column:desc".
results_query::sort_key sort_key_of(const std::string& text) {
  const std::size_t colon = text.find(':');
  const std::string direction = colon == std::string::npos ? "asc" : text.substr(colon + 1);
  if (direction != "asc" && direction != "desc")
    throw usage_error(fmt::format("--sort {}: behind the colon stands asc or desc, not \"{}\"", text, direction));
  return {text.substr(0, colon), direction == "desc"};
}

void show(results_options& options) {
  for (const std::string& key : options.order) options.query.order.push_back(sort_key_of(key));
  const auto store = result_store::open(options.file, result_store::access::read);
  note_input(options.file);
  options.query.all_columns = options.format != "table";
  const results_rows found = find_results(store, options.query);
  const std::string content = options.format == "csv" ? csv_of(found) : options.format == "jsonl" ? json_lines_of(found) : table_of(found);
  if (options.output.empty())
    std::cout << content;
  else
    write_atomically(options.output, content);
  std::cout.flush();
  std::cerr << remarks_text(store, options.query.only_warned ? every_warning : few_warnings);
}

}  // namespace

void add_results_command(const cli_command& app, exit_status& status) {
  const auto command = app.add_subcommand("results", "Show what a sweep found: a table, CSV, or JSON lines");
  const auto options = std::make_shared<results_options>();
  command.add_option("FILE", options->file, "The results of a sweep").required().type_name("");
  command.add_option("--where", options->query.where, "Only points for which this SQL expression of the columns is true").type_name("SQL");
  command.add_option("--columns", options->query.columns, "Axes, metrics, number, workload, exit_status, message, seconds, run, warnings")
      .delimiter(',')
      .type_name("NAME[,NAME...]");
  command.add_option("--sort", options->order, "By these columns").delimiter(',').type_name("NAME[:desc][,NAME...]");
  command.add_option("--limit", options->query.limit, "No more rows than this")
      .type_name("N")
      .between(0U, std::numeric_limits<unsigned>::max());
  command.add_flag("--failed", options->query.only_failed, "Only points whose run failed, and why; of repeated points the runs that did");
  command.add_flag("--warnings", options->query.only_warned,
                   "Only points with warnings, and all that they say; of repeated points the runs that have them");
  command.add_flag("--runs", options->query.each_run, "Each run of repeated points, with its number and seed, instead of their medians");
  command.add_option("--format", options->format, "table: for people; csv and jsonl: exact")
      .one_of({"table", "csv", "jsonl"})
      .type_name("table|csv|jsonl")
      .capture_default_str();
  add_out_option(command, options->output, "Write to this file, not to stdout");
  command.footer(
      "Warnings and notes on the results go to stderr.\n"
      "The file is an SQLite database with a view `results`: sqlite3, pandas and others read it as it is.\n\n"
      "Example: tcsim results banks.sqlite --where 'banks = 2 AND cycles < 5000' --sort cycles --limit 10");
  command.callback([options, &status] {
    show(*options);
    status = exit_status::done;
  });
}

}  // namespace tcsim
