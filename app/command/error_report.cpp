// SPDX-License-Identifier: Apache-2.0
#include "error_report.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

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
    text += fmt::format("{} inputs, {}: {}; {} results, {} dot products of each length, seed {}\n\n{}\n{}", study.input,
                        report.distribution.name, report.distribution.formula, report.accumulator, report.dots, report.seed,
                        error_table(study), error_histogram(study));
  }
  return text;
}

std::string error_json(const error_report& report) {
  boost::json::array studies;
  for (const auto& study : report.studies) {
    boost::json::array errors;
    for (const auto& each : study.errors) errors.push_back(errors_json(each));
    studies.push_back(boost::json::object{{"input", study.input}, {"errors", errors}});
  }
  return tc::config::pretty_text(boost::json::object{{"distribution", std::string(report.distribution.name)},
                                                     {"formula", std::string(report.distribution.formula)},
                                                     {"accumulator", report.accumulator},
                                                     {"dots", report.dots},
                                                     {"seed", report.seed},
                                                     {"studies", studies}});
}

}  // namespace tcsim
