// SPDX-License-Identifier: Apache-2.0
#include "report.hpp"

#include <algorithm>
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
  These values are *in-sample*.
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

/// Errors of a generation or a source: of values that a parameter was set by, and of the others.
struct errors {
  std::string name;
  score predicted, in_sample;
  mean_over_sources predicted_sources, in_sample_sources, unseen;

  void add(const source& of) {
    predicted.add(of, basis::predicted);
    in_sample.add(of, basis::fitted);
    predicted_sources.add(of, basis::predicted);
    in_sample_sources.add(of, basis::fitted);
    if (is_unseen(of)) unseen.add(of);
  }
};

std::string mean_text(double percent) { return fmt::format("{:.2f} %", percent); }
std::string mean_text(const mean_over_sources& mean) { return mean.sources == 0 ? "" : mean_text(mean.percent); }

/// Values, mean error and worst one.
std::string cells_of(const score& of) {
  if (of.values == 0) return "| | | |";
  if (of.modelled() == 0) return fmt::format("| {} | not modelled | |", of.values);
  return fmt::format("| {} | {} | {} |", of.modelled(), mean_text(of.mean_percent), percent_text(of.worst_percent));
}

/// Errors by generation, in the order of the sources, and of all; sources that count agreements apart.
std::vector<errors> errors_by_generation(const std::vector<source>& sources) {
  std::vector<errors> generations;
  errors all{"all", {}, {}, {}, {}, {}};
  for (const source& of : sources) {
    if (of.counts) continue;
    if (generations.empty() || generations.back().name != of.generation) generations.push_back({of.generation, {}, {}, {}, {}, {}});
    generations.back().add(of);
    all.add(of);
  }
  generations.push_back(all);
  return generations;
}

std::string summary(const std::vector<source>& sources) {
  std::string text = "## Summary\n\n" + headline(sources) +
                     "\n| generation | sources | predicted, by source | values | by value | worst | in-sample values | by value | worst |\n"
                     "| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n";
  for (const errors& row : errors_by_generation(sources))
    text += fmt::format("| {} | {} | {} {}{}\n", row.name, row.predicted_sources.sources, mean_text(row.predicted_sources),
                        cells_of(row.predicted), cells_of(row.in_sample).substr(1));
  return text;
}

std::string sources_table(const std::vector<source>& sources) {
  std::string text =
      "\n| source | predicted values | mean error | worst | in-sample values | mean error | worst |\n"
      "| --- | --- | --- | --- | --- | --- | --- |\n";
  for (const source& of : sources) {
    if (of.counts) continue;
    errors row{full_title(of), {}, {}, {}, {}, {}};
    row.add(of);
    text += fmt::format("| {} {}{}\n", row.name, cells_of(row.predicted), cells_of(row.in_sample).substr(1));
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

std::string change_text(const carried_parameter& p) {
  if (p.changes.empty()) return "not run: there is no product of matrices for this machine";
  const auto [least, most] = std::minmax_element(p.changes.begin(), p.changes.end());
  return *least == 0 && *most == 0 ? "nothing" : fmt::format("{} to {}", percent_text(*least), percent_text(*most));
}

std::string tried_text(const carried_parameter& p) {
  std::string text;
  for (const unsigned value : p.tried) text += fmt::format("{}{}", text.empty() ? "" : ", ", value);
  return text;
}

std::string carried_table(const std::vector<carried_parameter>& parameters) {
  std::string text = fmt::format(
      "\n## Fitted parameters that were carried over\n\n"
      "Parameters that were fitted to measurements of one generation and stand in the configurations of others, where nothing was "
      "measured\n"
      "that would tell them. What they move is how the cycles of a product of {0} x {0} x {0} on one SM change (`tcsim gemm`, timing "
      "alone,\n"
      "`sm.sub_core.issue.hazards` interlock) when the parameter takes the values beside it: medians of {1} runs that differ by chance\n"
      "(`jitter.seed` 1 to {1}). By as much, and by what is within the spread of such runs, a result of these machines can be off. What\n"
      "other parameters were carried over, their comments in [configs](../configs) say.\n\n"
      "| configuration | parameter | value | fitted to | tried | changes of the cycles | spread of its own runs |\n| --- | --- | --- | --- "
      "| --- "
      "| --- | --- |\n",
      size_of_carried_runs, varied_carried_runs);
  for (const carried_parameter& p : parameters)
    text += fmt::format("| {} | `{}` | {} | {} | {} | {} | {} |\n", p.machine, p.path, p.value, p.fitted_to, tried_text(p), change_text(p),
                        p.changes.empty() ? "" : fmt::format("{:.1f} %", p.spread));
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

std::string headline(const std::vector<source>& sources) {
  const errors all = errors_by_generation(sources).back();
  return fmt::format(
      "* **Predicted**: mean absolute error {:.1f} % if each of {} sources counts once, {:.2f} % if each of {} values does, most of which\n"
      "  were recorded on one GPU; {} at worst.\n"
      "* **Of sources that nothing was fitted to**, {} of them: {:.1f} %.\n"
      "* **In-sample**, values that a parameter was set by: {:.1f} % if each of {} sources counts once, {:.2f} % if each of {} values "
      "does.\n"
      "  They show no more than that the parameters do what they should.\n",
      all.predicted_sources.percent, all.predicted_sources.sources, all.predicted.mean_percent, all.predicted.modelled(),
      percent_text(all.predicted.worst_percent), all.unseen.sources, all.unseen.percent, all.in_sample_sources.percent,
      all.in_sample_sources.sources, all.in_sample.mean_percent, all.in_sample.modelled());
}

std::string short_report(const std::vector<source>& sources) {
  const std::vector<errors> rows = errors_by_generation(sources);
  std::string text = headline(sources) +
                     "\n| mean error | predicted, by source | predicted values, worst | in-sample values |\n| --- | --- | --- | --- |\n";
  for (std::size_t i = 0; i + 1 < rows.size(); ++i)
    text +=
        fmt::format("| {} | {} of {} sources | {} of {}, {} | {} of {} |\n", rows[i].name, mean_text(rows[i].predicted_sources),
                    rows[i].predicted_sources.sources, mean_text(rows[i].predicted.mean_percent), rows[i].predicted.modelled(),
                    percent_text(rows[i].predicted.worst_percent), mean_text(rows[i].in_sample.mean_percent), rows[i].in_sample.modelled());
  return text;
}

std::string markdown_report(const std::vector<source>& sources, const parameter_origins& parameters) {
  std::string text = introduction + summary(sources) + sources_table(sources) + counted_table(sources) +
                     parameters_table(parameters.fitted) + carried_table(parameters.carried);
  std::string generation;
  for (const source& of : sources) {
    if (of.generation != generation) text += fmt::format("\n## {}\n", generation = of.generation);
    text += section_of(of);
  }
  return text + not_compared;
}

}  // namespace tc::validation
