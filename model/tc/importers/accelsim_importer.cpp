// SPDX-License-Identifier: Apache-2.0
#include "accelsim_importer.hpp"

#include <bitset>
#include <iterator>
#include <ostream>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

#include <fmt/compile.h>
#include <fmt/format.h>

#include <tc/importers/accelsim_header.hpp>
#include <tc/importers/accelsim_instruction.hpp>
#include <tc/importers/accelsim_translator.hpp>
#include <tc/trace/file_kind.hpp>
#include <tc/trace/limits.hpp>
#include <tc/trace/trace_error.hpp>
#include <tc/trace/trace_writing.hpp>

namespace tc::importers {
namespace {

using trace::text_cursor;

/// The text that is written at once.
constexpr std::size_t buffer_bytes = std::size_t{1} << 16;

/// Reads one file line by line.
class accelsim_importer {
 public:
  accelsim_importer(trace::line_reader& source, std::ostream& trace, const accelsim_options& options)
      : source_(source), trace_(trace), options_(options), header_reader_(options.arch, report_) {}

  import_report run() {
    const trace::file_kind kind = trace::kind_of(source_.beginning());
    if (kind != trace::file_kind::accelsim_trace && kind != trace::file_kind::other)
      throw trace::trace_error(source_.name(), 1, 1, fmt::format("not a trace of Accel-Sim; {}", trace::advice_on(kind)));
    std::string_view text;
    while (source_.next(text)) {
      text_cursor in({source_.name(), source_.line(), text});
      if (!in.at_end()) read_line(in);
      if (text_.size() >= buffer_bytes) flush();
    }
    finish();
    return std::move(report_);
  }

 private:
  static constexpr unsigned max_warps = trace::max_block_threads / trace::warp_lanes;

  void read_line(text_cursor& in) {
    const char first = in.peek();
    if (first == '#') return read_mark(in);
    if (first == '-' && !header_) return header_reader_.read(in);
    text_cursor ahead = in;
    const std::string_view word = ahead.word();
    if (word == "thread") return read_block(in);
    if (word == "cluster") return read_cluster(in);
    if (word == "warp") return read_warp(in);
    if (word == "insts") return read_count(in);
    read_instruction(in);
  }

  /// #BEGIN_TB, #END_TB, or a comment.
  void read_mark(text_cursor& in) {
    const std::string_view word = in.word();
    if (word == "#BEGIN_TB") return begin_block(in);
    if (word == "#END_TB") return end_block(in);
  }

  void begin_block(text_cursor& in) {
    if (in_block_) in.fail_at(0, fmt::format("a thread block begins inside the one of line {}; #END_TB is missing", block_line_));
    if (!header_) {
      header_ = header_reader_.finish(in);
      translator_.emplace(*header_, report_);
      text_ = trace::header_text(header_->kernel);
    }
    in_block_ = true;
    is_named_ = false;
    block_line_ = in.line().number;
  }

  void read_block(text_cursor& in) {
    expect_block(in);
    if (is_named_) in.fail("the thread block is named twice");
    constexpr std::string_view form = "'thread block = X,Y,Z'";
    read_name(in, {"thread", "block", "="}, form);
    in.at_end();
    const std::size_t begin = in.position();
    const trace::dim3& grid = header_->kernel.grid;
    const std::uint64_t x = in.number("the block's x", 0, grid.x - 1);
    in.expect(",", form);
    const std::uint64_t y = in.number("the block's y", 0, grid.y - 1);
    in.expect(",", form);
    const std::uint64_t z = in.number("the block's z", 0, grid.z - 1);
    in.expect_end(form);
    if (!blocks_.insert(x + grid.x * (y + grid.y * z)).second)
      in.fail_at(begin, fmt::format("the thread block {},{},{} is given twice", x, y, z));
    fmt::format_to(std::back_inserter(text_), "cta {} {} {}\n", x, y, z);
    is_named_ = true;
    warps_.reset();
    in_warp_ = false;
  }

  /// Where a block stands in a cluster. The size of the clusters is not recorded.
  void read_cluster(text_cursor& in) {
    expect_block(in);
    text_cursor ahead = in;
    ahead.word();
    if (ahead.word() != "rank" || ahead.word() != "=" || ahead.number("the rank", 0, ~std::uint64_t{0}) == 0) return;
    report_.add_gap("a thread block of a cluster", "one of its own", source_.name(), source_.line());
  }

  void read_warp(text_cursor& in) {
    expect_named_block(in);
    end_warp(in);
    constexpr std::string_view form = "'warp = NUMBER'";
    read_name(in, {"warp", "="}, form);
    in.at_end();
    const std::size_t begin = in.position();
    warp_ = static_cast<unsigned>(in.number("the warp's number", 0, header_->kernel.warps_per_cta() - 1));
    in.expect_end(form);
    if (warps_[warp_]) in.fail_at(begin, fmt::format("warp {} is given twice in this thread block", warp_));
    in_warp_ = true;
    is_counted_ = false;
    instructions_ = expected_ = 0;
  }

  void read_count(text_cursor& in) {
    if (!in_warp_ || is_counted_) in.fail("'insts' belongs behind 'warp = NUMBER', once");
    constexpr std::string_view form = "'insts = COUNT'";
    read_name(in, {"insts", "="}, form);
    expected_ = in.number("the number of instructions", 0, ~std::uint64_t{0});
    in.expect_end(form);
    is_counted_ = true;
  }

  static void read_name(text_cursor& in, std::initializer_list<std::string_view> words, std::string_view form) {
    for (const std::string_view word : words) in.expect(word, form);
  }

  void expect_block(const text_cursor& in) const {
    if (!in_block_) in.fail("nothing but the header and comments may stand outside thread blocks; #BEGIN_TB is missing");
  }

  void expect_named_block(const text_cursor& in) const {
    expect_block(in);
    if (!is_named_) in.fail("'thread block = X,Y,Z' is missing");
  }

  void read_instruction(text_cursor& in) {
    expect_block(in);
    if (!in_warp_) in.fail("an instruction before the first 'warp = NUMBER' of a thread block");
    if (!is_counted_) in.fail("'insts = COUNT' is missing in front of the warp's first instruction");
    if (instructions_ == expected_) in.fail(fmt::format("warp {} has more than the {} instructions of 'insts'", warp_, expected_));
    if (instructions_++ == 0) begin_warp();
    write(read_accelsim_instruction(in, *header_), in);
  }

  void begin_warp() {
    warps_.set(warp_);
    fmt::format_to(std::back_inserter(text_), "warp {}\n", warp_);
  }

  void write(const accelsim_instruction& line, text_cursor& in) {
    const trace::lane_mask existing = header_->kernel.lanes_of_warp(warp_);
    if ((line.mask & ~existing) != 0)
      in.fail_at(line.mask_position, fmt::format("the mask names lanes without a thread; warp {} has the lanes {:08x}", warp_, existing));
    report_.add_instruction();
    const translated_instruction translated = translator_->translate(line, in);
    auto out = std::back_inserter(text_);
    fmt::format_to(out, FMT_COMPILE("/*{:04x}*/ {}"), line.pc, translated.text);
    if (line.mask != existing) fmt::format_to(out, FMT_COMPILE(" mask {:08x}"), line.mask);
    trace::append_addresses(text_, translated.addresses);
    text_ += '\n';
  }

  void end_warp(const text_cursor& in) const {
    if (!in_warp_) return;
    if (!is_counted_) in.fail_at(0, fmt::format("warp {} ends without 'insts = COUNT'", warp_));
    if (instructions_ != expected_)
      in.fail_at(0, fmt::format("warp {} ends after {} instructions; 'insts' says {}", warp_, instructions_, expected_));
  }

  /// A warp without instructions would keep the others waiting at barriers.
  void end_block(text_cursor& in) {
    if (!in_block_) in.fail_at(0, "#END_TB without #BEGIN_TB");
    expect_named_block(in);
    end_warp(in);
    for (unsigned warp = 0; warp < header_->kernel.warps_per_cta(); ++warp) {
      if (warps_[warp]) continue;
      report_.add_gap("a warp without instructions", "EXIT", source_.name(), source_.line());
      fmt::format_to(std::back_inserter(text_), "warp {}\n/*0000*/ EXIT\n", warp);
    }
    in_block_ = in_warp_ = false;
    if (options_.progress) options_.progress(blocks_.size(), header_->kernel.grid.count());
  }

  void finish() {
    const auto fail = [&](const std::string& message) { throw trace::trace_error(source_.name(), source_.line() + 1, 1, message); };
    if (!header_) fail("the trace ends before its first thread block; #BEGIN_TB is missing");
    if (in_block_) fail(fmt::format("the trace is cut off: the thread block of line {} has no #END_TB", block_line_));
    flush();
  }

  void flush() {
    trace_.write(text_.data(), static_cast<std::streamsize>(text_.size()));
    text_.clear();
  }

  trace::line_reader& source_;
  std::ostream& trace_;
  const accelsim_options& options_;
  import_report report_;
  accelsim_header_reader header_reader_;
  std::optional<accelsim_header> header_;  ///< once it is complete
  std::optional<accelsim_translator> translator_;
  std::string text_;                          ///< what is not written yet
  std::unordered_set<std::uint64_t> blocks_;  ///< that have been, by number in the grid
  bool in_block_ = false, is_named_ = false, in_warp_ = false, is_counted_ = false;
  std::uint64_t block_line_ = 0;
  unsigned warp_ = 0;
  std::bitset<max_warps> warps_;  ///< of the block that have been
  std::uint64_t expected_ = 0, instructions_ = 0;
};

}  // namespace

import_report import_accelsim(trace::line_reader& source, std::ostream& trace, const accelsim_options& options) {
  return accelsim_importer(source, trace, options).run();
}

}  // namespace tc::importers
