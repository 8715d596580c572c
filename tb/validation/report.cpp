// SPDX-License-Identifier: Apache-2.0
#include "report.hpp"

#include <cctype>
#include <map>
#include <sstream>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

namespace tc::validation {

namespace {

const std::string heading = "source,what,unit,measured,model,basis";

std::string name_of(const csv_line& line) { return line.source + ": " + line.what; }

std::string model_of(const csv_line& line) { return line.model.empty() ? "not modelled" : line.model; }

using lines_by_name = std::map<std::pair<std::string, std::string>, const csv_line*>;

lines_by_name by_name(const std::vector<csv_line>& lines) {
  lines_by_name result;
  for (const csv_line& line : lines) result[{line.source, line.what}] = &line;
  return result;
}

comparison value_of(const csv_line& line) {
  comparison value{line.what, std::stod(line.measured), line.basis == "fitted" ? basis::fitted : basis::predicted};
  if (!line.model.empty()) value.model = std::stod(line.model);
  return value;
}

}  // namespace

std::vector<csv_line> csv_lines(const std::vector<source>& sources) {
  std::vector<csv_line> lines;
  for (const source& of : sources)
    for (const comparison& value : of.values)
      lines.push_back({full_title(of), value.what, of.unit, value_text(value.measured, of), value.model ? value_text(*value.model, of) : "",
                       value.origin == basis::fitted ? "fitted" : "predicted"});
  return lines;
}

std::string csv_text(const std::vector<csv_line>& lines) {
  std::string text = heading + '\n';
  for (const csv_line& line : lines)
    text += fmt::format("{},{},{},{},{},{}\n", line.source, line.what, line.unit, line.measured, line.model, line.basis);
  return text;
}

std::vector<csv_line> read_csv(std::istream& in) {
  std::vector<csv_line> lines;
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) {
    std::istringstream stream(line);
    std::vector<std::string> fields;
    for (std::string field; std::getline(stream, field, ',');) fields.push_back(field);
    if (fields.size() != 6) throw std::runtime_error("not a line of a validation report: " + line);
    lines.push_back({fields[0], fields[1], fields[2], fields[3], fields[4], fields[5]});
  }
  return lines;
}

std::vector<std::string> carry_over(std::vector<source>& sources, const std::vector<csv_line>& earlier) {
  std::vector<std::string> carried;
  for (source& of : sources) {
    if (!of.values.empty()) continue;
    for (const csv_line& line : earlier)
      if (line.source == full_title(of)) of.values.push_back(value_of(line));
    carried.push_back(full_title(of));
  }
  return carried;
}

std::vector<std::string> differences(const std::vector<csv_line>& before, const std::vector<csv_line>& now) {
  const lines_by_name old_lines = by_name(before), new_lines = by_name(now);
  std::vector<std::string> moved;
  for (const csv_line& line : now) {
    const auto old = old_lines.find({line.source, line.what});
    if (old == old_lines.end())
      moved.push_back(fmt::format("{}: is new", name_of(line)));
    else if (old->second->model != line.model)
      moved.push_back(fmt::format("{}: measured {}, the model gives {} {} instead of {}", name_of(line), line.measured, model_of(line),
                                  line.unit, model_of(*old->second)));
  }
  for (const csv_line& line : before)
    if (new_lines.count({line.source, line.what}) == 0) moved.push_back(fmt::format("{}: is gone", name_of(line)));
  return moved;
}

namespace {

constexpr std::size_t longest_open_table = 16;  ///< rows; a longer one is folded

constexpr const char* introduction = R"(# Validation

Numbers that people published about tensor cores, and numbers recorded on GPUs, beside what the model gives for the same instructions. The program
`tc_validation` runs all of them and writes this page, [the plot](validation.svg) and [all values as CSV](validation.csv); a test compares
the three files with what the model gives now, so that `./check` fails when a number moves. To write them again:

    cmake --preset release && cmake --build --preset release --target tc_validation
    build/release/bin/tc_validation --output docs

* **fitted**: a parameter of the configuration was set by this number, or by the set of numbers it belongs to. That the model gives it back shows
  no more than that the parameter does what it should.
* **predicted**: no parameter was set by it. The model's value follows from units, widths, depths, ports, and parameters that other numbers set.
* **exact**: equal in all digits that the source gives. Errors are of the model, in percent of the measured value.

No value is left out because it looks bad. What is left out altogether, and why, is said [at the end](#not-compared).

![Errors of the model by source](validation.svg)

)";

constexpr const char* not_compared = R"(
## Not compared

* Set 1 of each row of the RTX 2080 Ti's table, and the totals of an RTX 2080 (Raihan et al., ISPASS 2019, table I): what lies between the first clock read and
  the first instruction was not published. The intervals between sets are compared.
* wmma.load, wmma.mma and wmma.store inside a GEMM on a Titan V (125, 70 and 120 cycles): minima over a program that was not published.
* Sustained TFLOPS of libraries and of wmma loops: clock and code were not published.
* Bandwidths of caches and memories beyond L1: the model has their latencies alone.
)";

std::string signed_text(double value, unsigned decimals) {
  const std::string text = fmt::format("{:+.{}f}", value, decimals);
  return text.find_first_of("123456789") == std::string::npos ? "0" : text;
}

std::string percent_text(double percent) { return signed_text(percent, 1) + " %"; }

struct named_score {
  std::string name;
  score result;
};

std::string row_of(const named_score& row) {
  const score& s = row.result;
  const std::size_t modelled = s.values - s.unmodelled;
  if (modelled == 0) return fmt::format("| {} | {} | not modelled | | | | |\n", row.name, s.values);
  return fmt::format("| {} | {} | {} | {} | {:.2f} % | {} | {} |\n", row.name, modelled, s.exact, s.within_2, s.mean_percent,
                     percent_text(s.worst_percent), s.fitted);
}

constexpr const char* heading_of_scores = "values | exact | within 2 % | mean error | worst | fitted |\n";

/// A row for each generation, in the order of the sources, and one for all; sources that count agreements apart.
std::string summary(const std::vector<source>& sources) {
  std::vector<named_score> generations;
  named_score all{"all", {}};
  for (const source& of : sources) {
    if (of.counts) continue;
    if (generations.empty() || generations.back().name != of.generation) generations.push_back({of.generation, {}});
    generations.back().result.add(of);
    all.result.add(of);
  }
  generations.push_back(all);
  std::string text = std::string("## Summary\n\n| generation | ") + heading_of_scores + "| --- | --- | --- | --- | --- | --- | --- |\n";
  for (const named_score& row : generations) text += row_of(row);
  return text;
}

std::string sources_table(const std::vector<source>& sources) {
  std::string text = std::string("\n| source | ") + heading_of_scores + "| --- | --- | --- | --- | --- | --- | --- |\n";
  for (const source& of : sources) {
    if (of.counts) continue;
    named_score row{full_title(of), {}};
    row.result.add(of);
    text += row_of(row);
  }
  return text;
}

/// Of how many things counted how many agree.
struct agreement {
  double all = 0, agreeing = 0;
};

agreement agreement_of(const source& of) {
  agreement sum;
  for (const comparison& value : of.values) {
    sum.all += value.measured;
    sum.agreeing += value.model.value_or(0);
  }
  return sum;
}

std::string counted_table(const std::vector<source>& sources) {
  std::string text = "\n| counted | of | agree |\n| --- | --- | --- |\n";
  for (const source& of : sources) {
    if (!of.counts) continue;
    const agreement sum = agreement_of(of);
    text += fmt::format("| {} | {:.0f} {} | {:.0f}, {:.1f} % |\n", full_title(of), sum.all, of.unit, sum.agreeing,
                        100 * sum.agreeing / sum.all);
  }
  return text;
}

std::string parameters_table(const std::vector<fitted_parameter>& parameters) {
  std::string text =
      "\n## Fitted parameters\n\n"
      "Parameters of the timing that no document gives and that were chosen so that the model gives certain measurements, as the\n"
      "configurations say. Latencies of caches and memories, and of pipes other than the tensor cores', hold measured values themselves;\n"
      "rows that read them back are marked fitted below. All other parameters are from documents and papers, which the configurations\n"
      "name.\n\n"
      "| configuration | parameter | value | what it is |\n| --- | --- | --- | --- |\n";
  for (const fitted_parameter& p : parameters) text += fmt::format("| {} | `{}` | {} | {} |\n", p.machine, p.name, p.value, p.comment);
  return text;
}

std::string table_of(const source& of) {
  std::string text =
      of.counts ? fmt::format("| | {} | agree | differ | |\n", of.unit) : fmt::format("| | measured, {} | model | error | | |\n", of.unit);
  text += of.counts ? "| --- | --- | --- | --- | --- |\n" : "| --- | --- | --- | --- | --- | --- |\n";
  for (const comparison& value : of.values) {
    const char* const origin = value.origin == basis::fitted ? "fitted" : "predicted";
    const std::string measured = value_text(value.measured, of);
    if (!value.model)
      text += fmt::format("| {} | {} | not modelled | | | |\n", value.what, measured);
    else if (of.counts)
      text += fmt::format("| {} | {} | {} | {} | {} |\n", value.what, measured, value_text(*value.model, of),
                          value_text(value.measured - *value.model, of), origin);
    else
      text += fmt::format("| {} | {} | {} | {} | {} | {} |\n", value.what, measured, value_text(*value.model, of),
                          signed_text(*value.model - value.measured, of.decimals), percent_text(*error_percent(value)), origin);
  }
  return text;
}

std::string counted(std::size_t values) { return fmt::format("{} {}", values, values == 1 ? "value" : "values"); }

std::string headline_of(const source& of) {
  if (of.counts) {
    const agreement sum = agreement_of(of);
    return fmt::format("{:.0f} of {:.0f} {} agree", sum.agreeing, sum.all, of.unit);
  }
  score result;
  result.add(of);
  if (result.unmodelled == result.values) return counted(result.values) + ", not modelled";
  return fmt::format("{}: {} exact, {} within 2 %, mean error {:.2f} %, worst {}", counted(result.values), result.exact, result.within_2,
                     result.mean_percent, percent_text(result.worst_percent));
}

std::string section_of(const source& of) {
  const std::string table = table_of(of);
  std::string heading = of.title;
  heading.front() = static_cast<char>(std::toupper(static_cast<unsigned char>(heading.front())));
  std::string text = fmt::format("\n### {}\n\n{}\n\nSource: {}.\n\n", heading, of.method, of.citation);
  if (of.values.size() <= longest_open_table) return text + headline_of(of) + ".\n\n" + table;
  return text + fmt::format("<details>\n<summary>{}</summary>\n\n{}\n</details>\n", headline_of(of), table);
}

}  // namespace

std::string markdown_report(const std::vector<source>& sources, const std::vector<fitted_parameter>& parameters) {
  std::string text = introduction + summary(sources) + sources_table(sources) + counted_table(sources) + parameters_table(parameters);
  std::string generation;
  for (const source& of : sources) {
    if (of.generation != generation) text += fmt::format("\n## {}\n", generation = of.generation);
    text += section_of(of);
  }
  return text + not_compared;
}

}  // namespace tc::validation
