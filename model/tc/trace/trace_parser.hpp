// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include <tc/trace/header_parser.hpp>
#include <tc/trace/instruction_expander.hpp>
#include <tc/trace/instruction_line.hpp>
#include <tc/trace/lanes.hpp>
#include <tc/trace/limits.hpp>
#include <tc/trace/line_reader.hpp>
#include <tc/trace/spool_file.hpp>
#include <tc/trace/text_cursor.hpp>
#include <tc/trace/trace.hpp>
#include <tc/trace/trace_contents.hpp>
#include <tc/trace/warp_extent.hpp>

namespace tc::trace {

/// The lines of a trace that say the same whenever they come: instructions with their pc and without addresses. A loop repeats them, and
/// each needs to be taken apart and checked only once.
class known_lines {
 public:
  struct line {
    std::string text;
    std::uint32_t code_index = 0;
    std::uint32_t pc = 0;
    std::optional<lane_mask> mask;  ///< if the line gives one

   private:
    friend class known_lines;
    line* successor = nullptr;  ///< what was found after it
  };

  /// The line of this text, nullptr if it has not been added. Quickest if it is what followed the line that was found before it last time.
  const line* find(std::string_view text) {
    if (last_ != nullptr && last_->successor != nullptr && last_->successor->text == text) return last_ = last_->successor;
    const auto found = index_.find(text);
    if (found == index_.end()) return nullptr;
    if (last_ != nullptr) last_->successor = found->second;
    return last_ = found->second;
  }

  /// Adds one that find() does not know; not if there are very many already, so that memory stays bounded.
  void add(std::string_view text, std::uint32_t code_index, std::uint32_t pc, std::optional<lane_mask> mask) {
    if (lines_.size() == most) return;
    line& added = lines_.emplace_back();
    added.text = text;
    added.code_index = code_index;
    added.pc = pc;
    added.mask = mask;
    index_.emplace(added.text, &added);
  }

 private:
  static constexpr std::size_t most = 16384;

  std::deque<line> lines_;
  std::unordered_map<std::string_view, line*> index_;
  line* last_ = nullptr;  ///< found last
};

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
        header_(options.image_folder, {}, options.limits, options.matrix_shapes),
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
