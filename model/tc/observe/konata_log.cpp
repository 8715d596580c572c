// SPDX-License-Identifier: Apache-2.0
#include "konata_log.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/compile.h>
#include <fmt/format.h>

namespace tc::observe {
namespace {

/// Fields end at tabs and lines at newlines. The viewer turns the two characters \n in a label into a new line.
std::string as_field(std::string_view text) {
  std::string field(text);
  std::replace(field.begin(), field.end(), '\t', ' ');
  for (std::size_t at = field.find('\n'); at != std::string::npos; at = field.find('\n', at)) field.replace(at, 1, "\\n");
  return field;
}

}  // namespace

void konata_log::show(const std::vector<konata_row*>& rows) {
  is_shown_ = true;
  struct entry {
    konata_row* row;
    konata_row::held_line line;
  };
  std::vector<entry> entries;
  for (konata_row* row : rows) {
    for (konata_row::held_line& each : row->held) entries.push_back({row, std::move(each)});
    row->held.clear();
  }
  std::stable_sort(entries.begin(), entries.end(), [](const entry& one, const entry& other) { return one.line.cycle < other.line.cycle; });
  for (const entry& each : entries) write(*each.row, each.line.cycle, each.line.command, each.line.rest);
}

void konata_log::begin(konata_row& row, std::uint64_t instruction, std::size_t thread) {
  line(row, 'I', FMT_COMPILE("{}\t{}"), instruction, thread);
}

void konata_log::text_line(konata_row& row, char type, std::string_view text) {
  line(row, 'L', FMT_COMPILE("{}\t{}"), type, as_field(text));
}

void konata_log::stage_line(konata_row& row, char command, std::size_t lane, std::string_view stage) {
  line(row, command, FMT_COMPILE("{}\t{}"), lane, stage);
}

void konata_log::depend(const konata_row& consumer, std::uint64_t producer) {
  if (!is_shown_ || consumer.number == konata_row::not_written) return;
  write_time(now_);
  file_.write(fmt::format("W\t{}\t{}\t0\n", consumer.number, producer));
}

void konata_log::end(konata_row& row, bool was_issued) {
  if (!is_shown_ || row.is_left_out) return;
  line(row, 'R', FMT_COMPILE("{}\t{}"), retired_, was_issued ? '0' : '1');
  if (was_issued) ++retired_;
}

template <typename Format, typename... Values>
void konata_log::line(konata_row& row, char command, const Format& format, const Values&... values) {
  if (row.is_left_out) return;
  rest_.clear();
  fmt::format_to(std::back_inserter(rest_), format, values...);
  if (is_shown_)
    write(row, now_, command, rest_);
  else
    row.held.push_back({now_, command, rest_});
}

void konata_log::write(konata_row& row, fabric::cycle_t cycle, char command, std::string_view rest) {
  write_time(cycle);
  if (row.number == konata_row::not_written) row.number = rows_++;
  const fmt::format_int number(row.number);
  const char begin[] = {command, '\t'};
  file_.write({begin, sizeof begin});
  file_.write({number.data(), number.size()});
  file_.write("\t");
  file_.write(rest);
  file_.write("\n");
}

void konata_log::write_time(fabric::cycle_t cycle) {
  if (!has_begun_)
    file_.write(fmt::format("Kanata\t0004\nC=\t{}\n", cycle));
  else if (cycle != written_)
    file_.write(fmt::format("C\t{}\n", cycle - written_));
  has_begun_ = true;
  written_ = cycle;
}

bool konata_log::finish() {
  if (!has_begun_) write_time(now_);
  return file_.close();
}

}  // namespace tc::observe
