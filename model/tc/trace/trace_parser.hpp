// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bitset>
#include <cstdint>
#include <memory>
#include <string_view>
#include <unordered_set>

#include <tc/trace/extent_writer.hpp>
#include <tc/trace/header_parser.hpp>
#include <tc/trace/instruction_expander.hpp>
#include <tc/trace/instruction_line.hpp>
#include <tc/trace/known_lines.hpp>
#include <tc/trace/limits.hpp>
#include <tc/trace/line_reader.hpp>
#include <tc/trace/open_options.hpp>
#include <tc/trace/spool_file.hpp>
#include <tc/trace/text_cursor.hpp>
#include <tc/trace/trace_contents.hpp>

namespace tc::trace {

/// Reads a trace once from begin to end, checks every line and packs the steps into a spool file. Memory grows with the
/// distinct instructions, and by a few bytes for each warp; not with the instructions executed.
class trace_parser {
 public:
  /// Image files are looked up relative to options.image_folder.
  trace_parser(line_reader& lines, const open_options& options)
      : lines_(lines),
        expander_(options.expander),
        spool_(std::make_unique<spool_file>(options.spool_folder)),
        limits_(options.limits),
        header_(options.image_folder, {}, options.limits),
        writer_(*spool_) {}

  /// Reads everything. Throws trace_error at the first mistake, spool_error if the steps cannot be stored.
  std::unique_ptr<trace_contents> run();

 private:
  void read_line(text_cursor& in);
  void read_directive(text_cursor& in);
  void read_cta(text_cursor& in);
  void read_warp(text_cursor& in);
  void read_preset(text_cursor& in);
  void read_instruction(text_cursor& in);
  bool repeat_line(std::string_view text);
  void read_expanded(const instruction_line& parts, const text_cursor& in);
  void begin_step(const instruction_line& parts, const text_cursor& in);
  void finish_step(code_entry& entry);
  std::uint32_t intern(std::string_view code, const instruction_line& parts, const text_cursor& in, unsigned registers);
  void take_scratch(const expansion& expanded, const instruction_line& parts, const text_cursor& in);
  void mark_registers(const isa::instruction& instruction, const instruction_line& parts, const text_cursor& in);
  void read_mask(const instruction_line& parts, const text_cursor& in);
  void read_addresses(text_cursor& in, const instruction_line& parts, const memory_access& access);
  [[noreturn]] void fail_length() const;
  void end_warp() const;
  void end_cta() const;
  void finish();

  line_reader& lines_;
  const instruction_expander* expander_;
  trace_contents contents_;
  std::unique_ptr<spool_file> spool_;
  size_limits limits_;
  header_parser header_;
  bool in_header_ = true;

  unsigned needed_registers_ = 0;                                  ///< by expansions
  unsigned registers_ = 0;                                         ///< that the header declares
  std::bitset<kernel_header::max_registers + 1> named_, scratch_;  ///< vector registers that lines name, and that expansions overwrite

  std::unordered_set<std::uint64_t> linear_ctas_;  ///< CTAs seen so far
  std::uint64_t cta_line_ = 0;                     ///< line of the current `cta`, 0 before the first

  std::bitset<max_block_threads / warp_lanes> warps_;  ///< warps seen in the current CTA
  unsigned warp_ = 0;                                  ///< the current one
  std::uint64_t warp_line_ = 0;                        ///< line of its `warp`, 0 before the first of a CTA
  step step_;                                          ///< its last instruction
  known_lines known_lines_;
  extent_writer writer_;
};

}  // namespace tc::trace
