// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <tc/fabric/clocked.hpp>
#include <tc/observe/output_file.hpp>

namespace tc::observe {

/// A row of a Konata log: an instruction, also before it is known which one it is.
struct konata_row {
  static constexpr std::uint64_t not_written = ~std::uint64_t{0};
  struct held_line {
    fabric::cycle_t cycle;
    char command;
    std::string rest;
  };

  std::uint64_t number = not_written;  ///< in the file, once a line of it has been written
  std::vector<held_line> held{};       ///< what would have been written so far, as long as it is open whether it will be
  bool is_left_out = false;            ///< it is not: its lines are ignored
};

/// A file in the Kanata log format, version 0004, as the Konata viewer defines it (docs/kanata-log-format.md of Konata): lines of fields
/// with tabs between them, in the order of cycles. First it holds back what it is told of a row; from show() on it writes.
class konata_log {
 public:
  /// Throws std::runtime_error if the file cannot be made.
  explicit konata_log(const std::filesystem::path& path) : file_(path) {}

  bool is_shown() const { return is_shown_; }
  /// Lines belong to this cycle from now on; not before the one of the last line.
  void turn_to(fabric::cycle_t cycle) { now_ = cycle; }
  fabric::cycle_t cycle() const { return now_; }
  /// Writes what was held back of these rows, and from now on every line at once.
  void show(const std::vector<konata_row*>& rows);

  /// A row begins: "I", with the number of the instruction in its thread.
  void begin(konata_row& row, std::uint64_t instruction, std::size_t thread);
  /// "L": text behind what the row has already, in the list of instructions or as a detail.
  void label(konata_row& row, std::string_view text) { text_line(row, '0', text); }
  void detail(konata_row& row, std::string_view text) { text_line(row, '1', text); }
  void begin_stage(konata_row& row, std::size_t lane, std::string_view stage) { stage_line(row, 'S', lane, stage); }
  void end_stage(konata_row& row, std::size_t lane, std::string_view stage) { stage_line(row, 'E', lane, stage); }
  /// "W": both rows have been begun, and the consumer has not ended. Not held back.
  void depend(const konata_row& consumer, std::uint64_t producer);
  /// "R": the row ends, `was_issued` or not.
  void end(konata_row& row, bool was_issued);

  /// Gives the file its name; returns whether all went well.
  bool finish();
  const output_file& file() const { return file_; }

 private:
  void text_line(konata_row& row, char type, std::string_view text);
  void stage_line(konata_row& row, char command, std::size_t lane, std::string_view stage);
  template <typename Format, typename... Values>
  void line(konata_row& row, char command, const Format& format, const Values&... values);
  void write(konata_row& row, fabric::cycle_t cycle, char command, std::string_view rest);
  void write_time(fabric::cycle_t cycle);

  output_file file_;
  std::string rest_;  // of a line
  bool is_shown_ = false;
  bool has_begun_ = false;  // the file has its header
  fabric::cycle_t now_ = 0;
  fabric::cycle_t written_ = 0;  // the cycle of the last line
  std::uint64_t rows_ = 0;       // written
  std::uint64_t retired_ = 0;
};

}  // namespace tc::observe
