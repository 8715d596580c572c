// SPDX-License-Identifier: Apache-2.0
#include "trace_recorder.hpp"

#include <algorithm>
#include <iterator>
#include <ostream>
#include <utility>

#include <fmt/compile.h>
#include <fmt/format.h>

#include <tc/execution/memory_spaces.hpp>
#include <tc/execution/program.hpp>
#include <tc/execution/traced_form.hpp>
#include <tc/execution/warp_state.hpp>
#include <tc/isa/architecture.hpp>
#include <tc/launches/launch_content.hpp>
#include <tc/trace/trace_writing.hpp>

namespace tc::execution {

namespace {

/// Lines of a header that give the bytes from `base` on, each some of them.
void write_contents(std::ostream& trace, const std::string& kind, std::uint64_t base, const std::uint8_t* content, std::uint64_t bytes) {
  constexpr std::uint64_t bytes_of_line = std::uint64_t{1} << 20;
  for (std::uint64_t begin = 0; begin < bytes; begin += bytes_of_line) {
    const std::uint8_t* const first = content + begin;
    const std::uint8_t* const last = first + std::min(bytes_of_line, bytes - begin);
    trace << fmt::format("{}{:#x} {} ", kind, base + begin, last - first);
    if (std::all_of(first, last, [](std::uint8_t byte) { return byte == 0; }))
      trace << "zero\n";
    else
      trace << fmt::format("hex {:02x}\n", fmt::join(first, last, ""));
  }
}

}  // namespace

trace::kernel_header timing_header(const launches::launch& launch, const listings::sass_kernel& kernel) {
  trace::kernel_header header;
  header.arch = kernel.arch;
  header.kernel = launch.kernel;
  header.grid = launch.grid;
  header.block = launch.block;
  header.cluster = launch.cluster;
  if (launch.registers != 0) header.registers = launch.registers;
  header.shared_bytes = launch.shared_bytes() + isa::info(kernel.arch).reserved_shared_bytes;
  return header;
}

trace_recorder::trace_recorder(trace::kernel_header header, const std::vector<std::string>& content_lines, std::ostream& trace,
                               const launches::launch* with_values)
    : launch_(with_values), header_(std::move(header)), trace_(trace) {
  trace_ << trace::header_text(header_);
  for (const std::string& line : content_lines) trace_ << line << '\n';
}

void trace_recorder::begins(const global_memory& memory, const warp::constant_memory& constants) {
  if (launch_ == nullptr) return;
  for (const auto& range : constants.ranges())
    write_contents(trace_, fmt::format("constant {} ", range.bank), range.offset, range.bytes.data(), range.bytes.size());
  for (const global_memory::range& range : memory.ranges())
    write_contents(trace_, "memory ", range.base, range.content.data(), range.bytes);
  for (const launches::launch_allocation& each : launch_->allocations) {
    if (!each.after || each.tolerance) continue;
    const std::vector<std::uint8_t> after = launches::read_content_file(*each.after, each.bytes);
    write_contents(trace_, "expect ", each.base, after.data(), after.size());
  }
}

growing_text& trace_recorder::text_of(const warp_state& warp) {
  std::vector<growing_text>& warps = ctas_[warp.context().cta].warps;
  if (warps.empty()) warps.resize(header_.warps_per_cta());
  return warps[warp.context().warp_in_cta];
}

std::uint32_t trace_recorder::executes(const warp_state& warp, const operation& op, std::uint32_t mask) {
  record(warp, op, mask, traced_addresses(warp, op, mask));
  return mask;
}

void trace_recorder::record(const warp_state& warp, const operation& op, std::uint32_t mask, const trace::address_list& addresses) {
  growing_text& lines = text_of(warp);
  lines.settle();
  std::string& text = lines.end();
  const traced_form form = form_of(warp.code(), op);
  if (form == traced_form::ptx) {
    text += ptx_lines(warp, op);
    return;
  }
  text += form == traced_form::fixed ? warp.code().listed(op).line : numbered_line(warp, op, mask);
  if (mask != header_.lanes_of_warp(warp.context().warp_in_cta))
    fmt::format_to(std::back_inserter(text), FMT_COMPILE(" mask {:08x}"), mask);
  trace::append_addresses(text, addresses);
  text += '\n';
}

void trace_recorder::ended(std::uint64_t cta) {
  ctas_[cta].has_ended = true;
  for (auto first = ctas_.begin(); first != ctas_.end() && first->first == next_ && first->second.has_ended; ++next_) {
    write(first->first, first->second);
    first = ctas_.erase(first);
  }
}

void trace_recorder::write(std::uint64_t cta, const recorded_cta& recorded) {
  const trace::dim3& grid = header_.grid;
  trace_ << fmt::format("cta {} {} {}\n", cta % grid.x, cta / grid.x % grid.y, cta / grid.x / grid.y);
  for (std::size_t warp = 0; warp < recorded.warps.size(); ++warp) {
    trace_ << fmt::format("warp {}\n", warp);
    recorded.warps[warp].write(trace_);
  }
}

}  // namespace tc::execution
