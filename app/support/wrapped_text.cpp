// SPDX-License-Identifier: Apache-2.0
#include "wrapped_text.hpp"

#include <algorithm>
#include <vector>

namespace tcsim {

namespace {

/// A line, and how it goes on.
struct line_form {
  std::size_t indent = 0;   ///< of what continues it
  bool is_command = false;  ///< it is broken as a shell allows
};

/// Behind the last gap of a line's beginning: a table's second column.
std::size_t second_column(std::string_view line, std::size_t first) {
  constexpr std::size_t widest_first_column = 34;
  std::size_t found = first;
  for (std::size_t gap = line.find("  ", first); gap != std::string_view::npos && gap < widest_first_column; gap = line.find("  ", found))
    found = std::min(line.find_first_not_of(' ', gap), line.size());
  return found;
}

line_form form_of(std::string_view line) {
  constexpr std::string_view example = "Example: ", command = "tcsim ";
  const std::size_t first = std::min(line.find_first_not_of(' '), line.size());
  const std::size_t text = line.substr(first, example.size()) == example ? first + example.size() : first;
  if (line.substr(text, command.size()) == command) return {first + 2, true};
  return {second_column(line, first), false};
}

/// The end of the word that begins at `begin`: a blank that is not within quotes, if the line is a command.
std::size_t end_of_word(std::string_view line, std::size_t begin, bool is_command) {
  bool is_quoted = false;
  for (std::size_t i = begin; i < line.size(); ++i) {
    if (is_command && (line[i] == '"' || line[i] == '\'')) is_quoted = !is_quoted;
    if (line[i] == ' ' && !is_quoted) return i;
  }
  return line.size();
}

/// The same of an option and its value, which stay together.
std::size_t end_of_argument(std::string_view line, std::size_t begin) {
  constexpr std::string_view no_value = "-&|>";
  const std::size_t end = end_of_word(line, begin, true);
  if (line[begin] != '-' || end + 1 >= line.size() || no_value.find(line[end + 1]) != std::string_view::npos) return end;
  return end_of_word(line, end + 1, true);
}

void append_wrapped(std::string& text, std::string_view line, const line_form& form, std::size_t column, std::size_t columns) {
  const std::size_t room = columns - (form.is_command ? 2 : 0);  // for a blank and the backslash
  const std::size_t first = std::min(line.find_first_not_of(' '), line.size());
  text += line.substr(0, first);
  column += first;
  for (std::size_t begin = first; begin < line.size();) {
    const std::size_t blanks = begin, word = std::min(line.find_first_not_of(' ', begin), line.size());
    const std::size_t end = form.is_command ? end_of_argument(line, word) : end_of_word(line, word, false);
    const bool is_last = end == line.size();
    if (blanks > first && column + (end - blanks) > (is_last ? columns : room) && column > form.indent) {
      text += form.is_command ? " \\\n" : "\n";
      text.append(form.indent, ' ');
      column = form.indent;
      begin = word;
    }
    text += line.substr(begin, end - begin);
    column += end - begin;
    begin = end;
  }
}

/// Calls `add(line)` for each line, with a line feed between them.
template <class Add>
std::string each_line(std::string_view text, Add add) {
  std::string result;
  for (std::size_t begin = 0;;) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    add(result, text.substr(begin, end - begin));
    if (end == text.size()) return result;
    result += '\n';
    begin = end + 1;
  }
}

}  // namespace

std::string wrapped(std::string_view text, std::size_t columns) {
  return each_line(text, [columns](std::string& result, std::string_view line) {
    if (line.size() <= columns)
      result += line;
    else
      append_wrapped(result, line, form_of(line), 0, columns);
  });
}

std::string wrapped_cell(std::string_view text, std::size_t indent, std::size_t columns) {
  bool is_first = true;
  return each_line(text, [&](std::string& result, std::string_view line) {
    if (!is_first) result.append(indent, ' ');
    is_first = false;
    append_wrapped(result, line, {indent, false}, indent, columns);
  });
}

}  // namespace tcsim
