// SPDX-License-Identifier: Apache-2.0
#include "trace_builder.hpp"

#include <utility>

#include <fmt/format.h>

#include <tc/trace/code_decoder.hpp>
#include <tc/trace/header_text.hpp>
#include <tc/trace/trace_error.hpp>

namespace tc::trace {

trace_builder::trace_builder(const std::string& name, std::string_view header, kept_digits kept, const size_limits& limits)
    : limits_(limits) {
  contents_->name = name;
  contents_->header = parse_header(header, name, {}, std::move(kept), limits);
}

std::uint32_t trace_builder::add_code(std::string_view text, std::uint64_t line, std::uint64_t executions) {
  trace_contents& contents = *contents_;
  contents.instructions += executions;
  if (const auto known = contents.code.find(text)) {
    contents.code[*known].executions += executions;
    return *known;
  }
  const text_cursor in({contents.name, line, text});
  if (contents.code.size() >= limits_.distinct_instructions)
    in.fail_at(0, fmt::format("more than {} different instructions in a trace", limits_.distinct_instructions));
  instruction_line parts;
  parts.code = text;
  code_entry entry = decode_code(text, contents.header, contents.header.registers, parts, in);
  entry.executions = executions;
  const std::uint32_t index = contents.code.add(text, std::move(entry));
  contents.forms.push_back({&contents.code[index].instruction, index});
  return index;
}

void trace_builder::add_cta(std::uint32_t x, std::uint32_t y, std::uint32_t z, std::uint32_t warps) {
  cta_entry cta;
  cta.x = x;
  cta.y = y;
  cta.z = z;
  cta.first_warp = static_cast<std::uint32_t>(contents_->warp_extents.size());
  cta.warp_count = warps;
  contents_->ctas.push_back(cta);
}

void trace_builder::begin_warp(unsigned warp, std::uint64_t line) {
  if (spool_ == nullptr) {
    spool_ = std::make_unique<spool_file>();
    writer_.emplace(*spool_);
  }
  contents_->warp_extents.push_back(writer_->begin(warp, line));
  ++contents_->ctas.back().warp_count;
}

void trace_builder::fail_length(std::uint64_t line) const {
  throw trace_error(contents_->name, line, 1, fmt::format("more than {} instructions in a trace", limits_.instructions));
}

trace trace_builder::finish() && {
  contents_->warp_extents.push_back(spool_->size());
  spool_->finish();
  contents_->steps = std::move(spool_);
  return trace(std::move(contents_));
}

trace trace_builder::finish(std::unique_ptr<const step_maker> maker) && {
  contents_->maker = std::move(maker);
  return trace(std::move(contents_));
}

}  // namespace tc::trace
