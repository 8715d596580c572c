// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <tc/trace/header_parser.hpp>
#include <tc/trace/spool_file.hpp>
#include <tc/trace/trace.hpp>
#include <tc/trace/warp_extent.hpp>

namespace tc::trace {

/// Puts the trace of a kernel together from its parts: for who makes kernels and would write a text only for it to be read again. Distinct
/// instructions are decoded and checked as those of a text; masks and addresses are taken as they are, and trace::verify() checks them.
/// Lines are those that the instructions have in the text.
class trace_builder {
 public:
  /// `header`: its lines before the first `cta`, without the digits that are in `kept`; `name` stands for the file in messages. Throws
  /// trace_error.
  trace_builder(const std::string& name, std::string_view header, kept_digits kept = {}, const size_limits& limits = {});

  kernel_header& header() { return contents_->header; }

  /// The place in the code table of `[control] [@predicate] OPCODE operands`, which so many more steps execute. The text is decoded when it
  /// is new, and `line` is then where it stands. Throws trace_error.
  std::uint32_t add_code(std::string_view text, std::uint64_t line, std::uint64_t executions = 1);

  /// Adds a CTA, in linear order; its first warps, of which a maker has the steps, or those that begin_warp() adds.
  void add_cta(std::uint32_t x, std::uint32_t y, std::uint32_t z, std::uint32_t warps = 0);
  /// Begins a warp of the last CTA, which stands in a line.
  void begin_warp(unsigned warp, std::uint64_t line);
  /// Adds a step of the last warp. Throws spool_error, or trace_error where there are too many.
  void add(const step& s) {
    if (++added_ > limits_.instructions) fail_length(s.line);
    writer_->add(s);
  }

  /// The trace of the steps that were added. Throws spool_error.
  trace finish() &&;
  /// The trace of the CTAs that were added, with steps that are made.
  trace finish(std::unique_ptr<const step_maker> maker) &&;

 private:
  [[noreturn]] void fail_length(std::uint64_t line) const;

  size_limits limits_;
  std::uint64_t added_ = 0;  ///< steps
  std::unique_ptr<trace_contents> contents_ = std::make_unique<trace_contents>();
  std::unique_ptr<spool_file> spool_;  ///< null: no warp has begun
  std::optional<extent_writer> writer_;
};

}  // namespace tc::trace
