// SPDX-License-Identifier: Apache-2.0
#include "error_report.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <tc/config/json_text.hpp>

#include "error_figures.hpp"
#include "text_table.hpp"

namespace tcsim {

namespace {

using tc::study::error_measure;
using tc::study::error_statistics;
using tc::study::studied_errors;
using align = text_table::align;

std::string percentage(std::uint64_t part, std::uint64_t whole) {
  return fmt::format("{:.1f} %", 100 * static_cast<double>(part) / static_cast<double>(whole));
}

std::string error_table(const error_report::study& study) {
  std::vector<align> columns(12, align::right);
  columns[1] = align::left;
  text_table table(columns);
  table.add({"K", "ARITHMETIC", "MAX ULP", "MEAN ULP", "RMS ULP", "BIAS ULP", "MAX REL", "MEAN REL", "BIAS REL", "NEAREST", "< 1 ULP",
             "NOT FINITE"});
  for (const auto& [name, k, errors] : study.errors) {
    const error_measure &ulps = errors.ulps(), &relative = errors.relative();
    table.add({fmt::format("{}", k), name, fmt::format("{:.4g}", ulps.maximum), fmt::format("{:.4g}", errors.mean(ulps)),
               fmt::format("{:.4g}", errors.root_mean_square(ulps)), fmt::format("{:+.2g}", errors.bias(ulps)),
               fmt::format("{:.1e}", relative.maximum), fmt::format("{:.1e}", errors.mean(relative)),
               fmt::format("{:+.1e}", errors.bias(relative)), percentage(errors.correctly_rounded(), errors.results()),
               percentage(errors.within_one_ulp(), errors.results()), percentage(errors.not_finite(), errors.results())});
  }
  return table.text();
}

/// Rows of a histogram that people read: errors below 2^-4 ulp are one row.
constexpr int smallest_row = -4;

std::string row_label(int exponent) {
  return exponent < smallest_row ? fmt::format("below 2^{}", smallest_row) : fmt::format("2^{}", exponent);
}

std::map<int, std::uint64_t> rows_of(const error_statistics& errors) {
  std::map<int, std::uint64_t> rows;
  for (const auto& [exponent, count] : errors.histogram()) rows[std::max(exponent, smallest_row - 1)] += count;
  return rows;
}

std::string bar(std::uint64_t part, std::uint64_t whole) {
  if (part == 0) return "";
  constexpr double longest = 24;
  const double share = static_cast<double>(part) / static_cast<double>(whole);
  return fmt::format("{:>7} {}", percentage(part, whole), std::string(static_cast<std::size_t>(std::lround(longest * share)), '#'));
}

/// Errors of the longest dot products, a column for each arithmetic.
std::string error_histogram(const error_report::study& study) {
  const unsigned k = study.errors.back().k;
  std::vector<const studied_errors*> shown;
  std::vector<std::string> names{"ULP, FROM"}, exact{"0"};
  int first = 0, last = smallest_row - 1;
  for (const auto& each : study.errors) {
    if (each.k != k) continue;
    shown.push_back(&each);
    names.push_back(each.name);
    exact.push_back(bar(each.statistics.exact(), each.statistics.results()));
    const auto rows = rows_of(each.statistics);
    if (rows.empty()) continue;
    first = std::min(first, rows.begin()->first);
    last = std::max(last, rows.rbegin()->first);
  }
  text_table table(std::vector<align>(names.size(), align::left));
  table.add(names);
  table.add(exact);
  for (int exponent = first; exponent <= last; ++exponent) {
    std::vector<std::string> cells{row_label(exponent)};
    for (const auto* const each : shown) cells.push_back(bar(rows_of(each->statistics)[exponent], each->statistics.results()));
    table.add(cells);
  }
  return fmt::format("Size of the errors for K = {}, each row up to twice its ulps\n{}", k, table.text(2));
}

/// The lengths of which all arithmetics give all results without an error.
std::vector<unsigned> lengths_without_error(const error_report::study& study) {
  std::map<unsigned, bool> are_exact;  // by length
  for (const auto& [name, k, errors] : study.errors)
    are_exact[k] = (are_exact.count(k) == 0 || are_exact[k]) && errors.exact() == errors.results();
  std::vector<unsigned> lengths;
  for (const auto& [k, is_exact] : are_exact)
    if (is_exact) lengths.push_back(k);
  return lengths;
}

std::string place_text(const error_report& report, const error_report::study& study) {
  const bool in_registers = report.operands == "registers";
  std::string text = in_registers ? "A and B in registers, as for mma.sync" : "A and B in shared memory, as for wgmma and tcgen05.mma";
  if (study.depends_on_operands)
    text += fmt::format("; other arithmetic than in {}",
                        in_registers ? "shared memory (--operands shared)" : "registers (--operands registers)");
  return text;
}

/// Zeros in the table that say nothing about the machines.
std::string note_on_zeros(const error_report& report, const error_report::study& study) {
  const std::vector<unsigned> lengths = lengths_without_error(study);
  if (lengths.empty()) return {};
  return fmt::format(
      "\nwarning: no error can be seen for K = {}: these inputs are so few bits wide that every sum is a number of {},\n"
      "and all arithmetics here find it. It does not follow that they do not err: try longer dot products (--k),\n"
      "other inputs (--distribution exponents or cancelling){}.\n",
      fmt::join(lengths, ", "), report.accumulator,
      study.depends_on_operands && report.operands == "registers" ? ", or operands in shared memory (--operands shared)" : "");
}

boost::json::object errors_json(const studied_errors& studied) {
  boost::json::object json{{"k", studied.k}, {"arithmetic", studied.name}};
  for (const auto& figure : figures_json(studied.statistics)) json[figure.key()] = figure.value();
  boost::json::array histogram;
  for (const auto& [exponent, count] : studied.statistics.histogram()) histogram.push_back({{"exponent", exponent}, {"count", count}});
  json["histogram"] = std::move(histogram);
  return json;
}

}  // namespace

std::string error_text(const error_report& report) {
  std::string text;
  for (const auto& study : report.studies) {
    if (!text.empty()) text += '\n';
    text += fmt::format("{} inputs, {}: {}; {} results, {} dot products of each length, seed {}\n{}\n\n{}{}\n{}", study.input,
                        report.distribution.name, report.distribution.formula, report.accumulator, report.dots, report.seed,
                        place_text(report, study), error_table(study), note_on_zeros(report, study), error_histogram(study));
  }
  return text;
}

std::string error_json(const error_report& report) {
  boost::json::array studies;
  for (const auto& study : report.studies) {
    boost::json::array errors;
    for (const auto& each : study.errors) errors.push_back(errors_json(each));
    studies.push_back(boost::json::object{{"input", study.input},
                                          {"depends_on_operands", study.depends_on_operands},
                                          {"lengths_without_error", boost::json::value_from(lengths_without_error(study))},
                                          {"errors", errors}});
  }
  return tc::config::pretty_text(boost::json::object{{"distribution", std::string(report.distribution.name)},
                                                     {"formula", std::string(report.distribution.formula)},
                                                     {"accumulator", report.accumulator},
                                                     {"operands", report.operands},
                                                     {"dots", report.dots},
                                                     {"seed", report.seed},
                                                     {"studies", studies}});
}

}  // namespace tcsim
