// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>

#include <systemc>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "carried_parameters.hpp"
#include "error_plot.hpp"
#include "fitted_parameters.hpp"
#include "report.hpp"
#include "studies.hpp"

// Runs every published and recorded number through the model, and writes the report or compares it with the one that is there.

namespace {

namespace fs = std::filesystem;
using namespace tc::validation;

constexpr const char* how_to_write = "build/release/bin/tc_validation --output docs";

std::vector<study> all_studies() {
  std::vector<study> studies;
  for (const auto& of_generation : {volta_studies(), turing_studies(), ampere_studies(), hopper_studies(), arithmetic_studies()})
    studies.insert(studies.end(), of_generation.begin(), of_generation.end());
  return studies;
}

std::string content_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// A page with new lines between its marks.
std::string with_block(const std::string& page, const std::string& lines) {
  constexpr std::string_view begin = "<!-- begin validation -->\n", end = "<!-- end validation -->";
  const std::size_t first = page.find(begin), last = page.find(end);
  if (first == std::string::npos || last == std::string::npos) return page;
  return page.substr(0, first + begin.size()) + lines + page.substr(last);
}

/// The files of a report in a folder, and of the page above it that quotes it.
class report {
 public:
  explicit report(fs::path folder) : folder_(std::move(folder)) {}

  /// Runs the model. What cannot run is taken from the report in the folder.
  void run(unsigned jobs) {
    std::istringstream csv(content_of(folder_ / "validation.csv"));
    earlier_ = read_csv(csv);
    const fs::path configurations = fs::path(TC_SOURCE_DIR) / "configs";
    parameter_origins parameters{fitted_parameters(configurations), carried_parameters(configurations)};
    std::vector<study> studies = all_studies();
    studies.push_back(carried_study(parameters.carried));
    sources_ = tc::validation::run(std::move(studies), jobs);
    set_changes(parameters.carried, sources_.back());
    sources_.pop_back();
    for (const std::string& title : carry_over(sources_, earlier_))
      std::cout << title << ": needs recordings that are not there; taken from the report as it is\n";
    lines_ = csv_lines(sources_);
    files_ = {{"validation.csv", csv_text(lines_)},
              {"validation.md", markdown_report(sources_, parameters)},
              {"validation.svg", error_plot(sources_)}};
    const fs::path readme = fs::path("..") / "README.md";
    if (const std::string text = content_of(folder_ / readme); !text.empty())
      files_.emplace_back(readme.string(), with_block(text, short_report(sources_)));
  }

  void write() const {
    for (const auto& [name, content] : files_) std::ofstream(folder_ / name, std::ios::binary) << content;
    std::cout << fmt::format("{} values written to {}\n", lines_.size(), folder_.string());
  }

  /// Says what is different in the folder. Returns whether nothing is.
  bool is_up_to_date() const {
    const std::vector<std::string> moved = differences(earlier_, lines_);
    for (const std::string& line : moved) std::cout << line << '\n';
    bool is_same = moved.empty();
    for (const auto& [name, content] : files_) {
      if (content_of(folder_ / name) == content) continue;
      std::cout << (folder_ / name).string() << " is not what the model and the report give now\n";
      is_same = false;
    }
    std::cout << (is_same ? fmt::format("{} values as in {}\n", lines_.size(), folder_.string())
                          : fmt::format("If this is meant, write the report again: {}\n", how_to_write));
    return is_same;
  }

 private:
  fs::path folder_;
  std::vector<csv_line> earlier_, lines_;
  std::vector<source> sources_;
  std::vector<std::pair<std::string, std::string>> files_;
};

}  // namespace

// SystemC's library has a main of its own, which greets on stderr before sc_main runs.
int main(int argc, char** argv) {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 0);
  return sc_core::sc_elab_and_sim(argc, argv);
}

int sc_main(int argc, char** argv) {
  CLI::App app{"Compares the model with every published and recorded number, and writes a report: validation.md, .csv and .svg"};
  std::string output, check;
  unsigned jobs = std::max(1U, std::thread::hardware_concurrency());
  app.add_option("--output", output, "Write the report into this folder")->check(CLI::ExistingDirectory)->type_name("FOLDER");
  app.add_option("--check", check, "Compare with the report in this folder; exit status 1 if a value moved")
      ->check(CLI::ExistingDirectory)
      ->type_name("FOLDER");
  app.add_option("--jobs", jobs, "Runs of the model at a time")->check(CLI::PositiveNumber)->type_name("N");
  app.require_option(1, 2);
  CLI11_PARSE(app, argc, argv);
  try {
    report result(output.empty() ? check : output);
    result.run(jobs);
    if (!output.empty()) result.write();
    return check.empty() || result.is_up_to_date() ? 0 : 1;
  } catch (const std::exception& error) {
    std::cerr << "tc_validation: " << error.what() << '\n';
    return 2;
  }
}
