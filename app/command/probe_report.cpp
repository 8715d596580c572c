// SPDX-License-Identifier: Apache-2.0
#include "probe_report.hpp"

#include <algorithm>
#include <iterator>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

#include <boost/json.hpp>
#include <fmt/format.h>

#include <tc/config/json_text.hpp>
#include <tc/study/probe_row.hpp>

#include "text_table.hpp"
#include "wording.hpp"

namespace tcsim {

namespace {

/// What two studies of the V100, both f16 x f16, answered to a question; "-" where they did not ask.
struct v100_answer {
  std::string fasi;      ///< Fasi, Higham, Mikaitis and Pranesh, PeerJ CS 7:e330, 2021
  std::string hickmann;  ///< Hickmann and Bradford, 2019
};

/// A row of both studies; `f16_*` where results in f16 differ, else null.
struct study_row {
  std::string_view key;
  const char *fasi, *hickmann, *f16_fasi, *f16_hickmann;
};

constexpr study_row rows[] = {
    {"summation", "fused sums, chained", "(C + (T0 + T1)) + (T2 + T3)", nullptr, nullptr},
    {"group_length", "4", "4", nullptr, nullptr},
    {"alignment_fraction_bits", "23", "23", nullptr, nullptr},
    {"addend", "in the first group", "with T0 + T1", nullptr, nullptr},
    {"output_rounding", "toward zero", "toward zero", "to nearest even", "to nearest even"},
    {"kept_fraction_bits", "23", "23", "10", "10"},
    {"flush_subnormals", "kept", "flushed to zero", "kept", "kept"},
    {"subnormal_operands", "kept", "kept", nullptr, nullptr},
    {"term_truncation", "toward zero", "toward zero", nullptr, nullptr},
    {"product_normalisation", "no", "-", nullptr, nullptr},
    {"element_order", "no", "-", nullptr, nullptr},
    {"carries", "no: 2 carry bits or more", "-", nullptr, nullptr},
};

/// `key` is that of a tc::study::finding. The answers differ for results in f32 and in f16.
v100_answer v100_answer_to(std::string_view key, bool to_f16) {
  const auto* const row = std::find_if(std::begin(rows), std::end(rows), [key](const study_row& r) { return r.key == key; });
  if (row == std::end(rows)) return {"-", "-"};
  if (to_f16 && row->f16_fasi != nullptr) return {row->f16_fasi, row->f16_hickmann};
  return {row->fasi, row->hickmann};
}

using tc::study::certainty;
using tc::study::datapath_findings;
using tc::study::finding;
using tc::study::integer_findings;

/// Text in lines of at most `width` bytes, broken at blanks.
std::vector<std::string> lines_of_cell(const std::string& text, std::size_t width) {
  std::vector<std::string> lines{""};
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (!lines.back().empty() && lines.back().size() + 1 + word.size() > width) lines.emplace_back();
    lines.back() += (lines.back().empty() ? "" : " ") + word;
  }
  return lines;
}

/// Adds a row whose cells may take several lines.
void add_wrapped(text_table& table, const std::vector<std::string>& cells, const std::vector<std::size_t>& widths) {
  std::vector<std::vector<std::string>> columns;
  std::size_t height = 1;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    columns.push_back(lines_of_cell(cells[i], widths[i]));
    height = std::max(height, columns.back().size());
  }
  for (std::size_t line = 0; line < height; ++line) {
    std::vector<std::string> row;
    row.reserve(columns.size());
    for (const auto& column : columns) row.push_back(line < column.size() ? column[line] : "");
    table.add(row);
  }
}

const char* certainty_text(certainty sure) {
  switch (sure) {
    case certainty::found:
      return "found";
    case certainty::lower_bound:
      return "lower_bound";
    case certainty::not_observable:
      return "not_observable";
    case certainty::no_meaning:
      return "no_meaning";
  }
  return "";
}

std::string evidence_text(const finding& answer) {
  if (answer.sure == certainty::no_meaning) return "no such thing in this order of summation";
  if (answer.reason.empty()) return answer.evidence;
  const std::string reason = "not observable: " + answer.reason;
  return answer.evidence.empty() ? reason : answer.evidence + "; " + reason;
}

std::string contradiction_text(const datapath_findings& found) {
  const auto& first = *found.unexplained;
  const auto& format = found.types.accumulator;
  return fmt::format("{}: the unit gives {}, the description {}", tc::study::inputs_text(first.inputs, found.types),
                     tc::study::pattern_text(first.found, format), tc::study::pattern_text(first.predicted, format));
}

std::string table_of(const datapath_findings& found) {
  const std::vector<std::size_t> widths{22, 20, 22, 24, 42};
  text_table table(std::vector(widths.size(), text_table::align::left));
  table.add({"QUESTION", "V100: FASI 2021", "V100: HICKMANN 2019", "FOUND", "EVIDENCE"});
  const bool to_f16 = found.types.accumulator == tc::numerics::f16;
  for (const finding& answer : found.answers) {
    const v100_answer studies = v100_answer_to(answer.key, to_f16);
    add_wrapped(table, {answer.question, studies.fasi, studies.hickmann, answer.answer, evidence_text(answer)}, widths);
  }
  return table.text(2);
}

std::string section(const probe_result& result, const datapath_findings& found) {
  std::string text = fmt::format("{}, k = {}\n", result.label, result.k);
  if (found.explained())
    text += fmt::format("  Inferred from {}; explains {} more.\n", counted(found.experiments, "dot product"), found.checked);
  else
    text += fmt::format("  The description does not explain the unit. The first counterexample:\n    {}\n", contradiction_text(found));
  return text + table_of(found);
}

std::string section(const probe_result& result, const integer_findings& found) {
  if (found.explained())
    return fmt::format("{}: exact sums of {}, {}; explains {}\n  {}\n", result.label, found.product, found.overflow,
                       counted(found.checked, "random dot product"), found.evidence);
  return fmt::format("{}: no exact sum that wraps or saturates explains the unit\n", result.label);
}

boost::json::array patterns(const std::vector<std::uint64_t>& bits) {
  boost::json::array items;
  for (const std::uint64_t pattern : bits) items.emplace_back(fmt::format("{:#x}", pattern));
  return items;
}

boost::json::object json_of(const tc::study::dot_inputs& inputs) {
  return {{"a", patterns(inputs.a)},
          {"b", patterns(inputs.b)},
          {"scale_a", patterns(inputs.scale_a)},
          {"scale_b", patterns(inputs.scale_b)},
          {"c", fmt::format("{:#x}", inputs.c)}};
}

boost::json::object json_of(const finding& answer, const v100_answer& studies) {
  return {{"key", answer.key},
          {"question", answer.question},
          {"answer", answer.answer},
          {"certainty", certainty_text(answer.sure)},
          {"reason", answer.reason},
          {"evidence", answer.evidence},
          {"v100_fasi_2021", studies.fasi},
          {"v100_hickmann_2019", studies.hickmann}};
}

void add_findings(boost::json::object& unit, const datapath_findings& found) {
  boost::json::array answers;
  const bool to_f16 = found.types.accumulator == tc::numerics::f16;
  for (const finding& answer : found.answers) answers.emplace_back(json_of(answer, v100_answer_to(answer.key, to_f16)));
  unit["experiments"] = found.experiments;
  unit["checked"] = found.checked;
  unit["answers"] = std::move(answers);
  if (!found.unexplained) return;
  unit["counterexample"] = {{"inputs", json_of(found.unexplained->inputs)},
                            {"found", fmt::format("{:#x}", found.unexplained->found)},
                            {"predicted", fmt::format("{:#x}", found.unexplained->predicted)}};
}

void add_findings(boost::json::object& unit, const integer_findings& found) {
  unit["product"] = found.product;
  unit["overflow"] = found.overflow;
  unit["evidence"] = found.evidence;
  unit["checked"] = found.checked;
  if (found.unexplained) unit["counterexample"] = {{"inputs", json_of(*found.unexplained)}};
}

}  // namespace

std::string probe_text(const std::string& machine, const std::vector<probe_result>& results) {
  std::string text = fmt::format("Dot products of {}, seen from outside\n", machine);
  bool had_integers = false;
  for (const probe_result& result : results) {
    const bool is_integer = std::holds_alternative<integer_findings>(result.findings);
    if (!is_integer || !had_integers) text += '\n';
    had_integers = is_integer;
    text += std::visit([&](const auto& found) { return section(result, found); }, result.findings);
  }
  return text;
}

std::string probe_json(const std::string& machine, const std::vector<probe_result>& results) {
  boost::json::array units;
  for (const probe_result& result : results) {
    boost::json::object unit{{"input", result.input},
                             {"label", result.label},
                             {"a", std::string(result.types.a.name)},
                             {"b", std::string(result.types.b.name)},
                             {"accumulator", std::string(result.types.accumulator.name)},
                             {"k", result.k},
                             {"explained", result.explained()}};
    std::visit([&](const auto& found) { add_findings(unit, found); }, result.findings);
    units.emplace_back(std::move(unit));
  }
  return tc::config::pretty_text(boost::json::object{{"machine", machine}, {"units", std::move(units)}});
}

}  // namespace tcsim
