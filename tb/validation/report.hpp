// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <istream>
#include <string>
#include <vector>

#include "carried_parameters.hpp"
#include "comparison.hpp"
#include "fitted_parameters.hpp"

namespace tc::validation {

/// A line of the report as comma-separated values.
struct csv_line {
  std::string source, what, unit, measured, model, basis;  ///< model: empty if there is none
};

/// The values of all sources, in order.
std::vector<csv_line> csv_lines(const std::vector<source>& sources);

/// The lines as text, below a heading.
std::string csv_text(const std::vector<csv_line>& lines);

/// Reads such a text. Throws std::runtime_error for a line with another number of columns.
std::vector<csv_line> read_csv(std::istream& in);

/// Fills the sources that have no values, because what they run is not there, from an earlier report. Returns their titles.
std::vector<std::string> carry_over(std::vector<source>& sources, const std::vector<csv_line>& earlier);

/// What moved between two reports: a line of text for each value that one has and the other has not, or has differently.
std::vector<std::string> differences(const std::vector<csv_line>& before, const std::vector<csv_line>& now);

/// Parameters that no document gives.
struct parameter_origins {
  std::vector<fitted_parameter> fitted{};
  std::vector<carried_parameter> carried{};
};

/// How far off the model is, in a few lines: predicted values and those that parameters were set by apart, by source.
std::string headline(const std::vector<source>& sources);

/// The headline and a row for each generation, for other pages.
std::string short_report(const std::vector<source>& sources);

/// The report as a Markdown document: a summary, the parameters that were fitted, and a table for each source.
std::string markdown_report(const std::vector<source>& sources, const parameter_origins& parameters);

}  // namespace tc::validation
