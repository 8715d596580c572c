// SPDX-License-Identifier: Apache-2.0
#include "csv_report.hpp"

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

}  // namespace tc::validation
