// SPDX-License-Identifier: Apache-2.0
#include "trace_recorder.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <ostream>
#include <utility>

#include <fmt/compile.h>
#include <fmt/format.h>

#include <tc/execution/barrier_numbers.hpp>
#include <tc/execution/memory_spaces.hpp>
#include <tc/execution/program.hpp>
#include <tc/execution/warp_state.hpp>
#include <tc/execution/warpgroup_values.hpp>
#include <tc/isa/architecture.hpp>
#include <tc/isa/barrier_arrival.hpp>
#include <tc/isa/element_type.hpp>
#include <tc/isa/instruction_parser.hpp>
#include <tc/isa/number_text.hpp>
#include <tc/isa/source_text.hpp>
#include <tc/launches/launch_content.hpp>
#include <tc/trace/trace_writing.hpp>

namespace tc::execution {

namespace {

/// The addresses that the registers hold; those of shared and local memory have 32 bits.
trace::address_list computed_addresses(const warp_state& warp, const operation& op, std::uint32_t mask) {
  const trace::memory_access& access = warp.code().listed(op).access;
  const isa::memory_reference* const operand = traced_operand(*op.code);
  trace::address_list addresses;
  if (access.space == isa::memory_space::none || mask == 0 || operand == nullptr) return addresses;
  std::array<std::uint64_t, warp::lanes_per_warp> computed{};
  warp.addresses(*operand, computed);
  const bool is_window = access.space == isa::memory_space::shared || access.space == isa::memory_space::local;
  trace::for_each_lane(access.every_lane ? trace::all_lanes : mask,
                       [&](unsigned lane) { addresses.set(lane, is_window ? computed[lane] & 0xffffffffU : computed[lane]); });
  return addresses;
}

/// The line of a BAR, of which registers hold the number of the barrier, the threads, or both, with numbers in their place.
std::string barrier_line(const warp_state& warp, const operation& op, std::uint32_t mask) {
  const std::string& line = warp.code().listed(op).line;
  const barrier_numbers numbers = barrier_numbers_of(warp, op, mask != 0 ? mask : warp.active());
  const std::size_t begin = line.rfind(op.code->text), first = line.find_first_of(" \t", begin);
  std::size_t behind = line.find(',', first);
  std::string text = fmt::format(" {:#x}", numbers.barrier);
  if (isa::barrier_operands_of(*op.code).threads != nullptr) {
    text += fmt::format(", {:#x}", numbers.threads);
    behind = line.find(',', behind + 1);
  }
  std::string result = line.substr(0, first) + text + (behind == std::string::npos ? "" : line.substr(behind));
  try {
    isa::parse_instruction(result, warp.code().kernel().arch);
  } catch (const isa::syntax_error& error) {
    warp.fail(op, fmt::format("as its registers are, it is '{}': {}", result, error.what()));
  }
  return result;
}

/// "{R24, R25, R26, R27}".
std::string register_list(unsigned first, unsigned count) {
  std::string text = "{";
  for (unsigned i = 0; i < count; ++i) text += fmt::format("{}R{}", i == 0 ? "" : ", ", first + i);
  return text + "}";
}

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

const isa::memory_reference* traced_operand(const isa::instruction& code) {
  const bool is_copy = isa::info(code.op).memory.action == isa::memory_action::copy;
  const isa::memory_reference* found = nullptr;
  for (unsigned s = 0; s < code.source_count && (found == nullptr || is_copy); ++s)
    if (code.sources[s].what == isa::operand::kind::memory) found = &code.sources[s].memory;
  return found;
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
  record(warp, op, mask, computed_addresses(warp, op, mask));
  return mask;
}

void trace_recorder::record(const warp_state& warp, const operation& op, std::uint32_t mask, const trace::address_list& addresses) {
  growing_text& lines = text_of(warp);
  lines.settle();
  std::string& text = lines.end();
  const std::string& line = warp.code().listed(op).line;
  if (op.warpgroup != nullptr || line.empty()) return append_product(warp, op, text);
  const bool names_barrier = isa::role_of(op.code->op) == isa::issue_role::arrives_at_barrier;
  text += names_barrier && isa::barrier_operands_of(*op.code).have_registers() ? barrier_line(warp, op, mask) : line;
  if (mask != header_.lanes_of_warp(warp.context().warp_in_cta))
    fmt::format_to(std::back_inserter(text), FMT_COMPILE(" mask {:08x}"), mask);
  trace::append_addresses(text, addresses);
  text += '\n';
}

/// HGMMA and WARPGROUP as wgmma (PTX ISA).
void trace_recorder::append_product(const warp_state& warp, const operation& op, std::string& text) const {
  const isa::instruction& code = *op.code;
  const std::string place = fmt::format("/*{:04x}*/ ", code.pc);
  const auto begins = [&code](const char* with) { return code.text.rfind(with, 0) == 0; };
  if (begins("WARPGROUP.ARRIVE")) text += place + "wgmma.fence.sync.aligned\n";
  if (begins("WARPGROUP.DEPBAR")) {
    const std::size_t last = code.text.rfind(' ');
    text += fmt::format("{}wgmma.wait_group.sync.aligned {}\n", place, isa::parse_unsigned(code.text.substr(last + 1)).value_or(0));
  }
  if (op.warpgroup == nullptr) return;
  const warpgroup_operands& operands = op.warpgroup->operands();
  const isa::mma_operation& mma = operands.matrices.mma;
  const unsigned accumulators = mma.n * isa::bits(mma.d) / 64U;
  const auto descriptor = [&warp](unsigned index) {
    const auto& uniform = warp.registers().uniform;
    return std::uint64_t{uniform[index + 1]} << 32U | uniform[index];
  };
  const bool in_registers = operands.matrices.a_in_registers;
  const std::string a = in_registers ? register_list(operands.a, 4) : fmt::format("{:#x}", descriptor(operands.descriptors));
  const auto transposed = [](isa::matrix_major major) { return major == isa::matrix_major::mn ? 1 : 0; };
  text += fmt::format("{}wgmma.mma_async.sync.aligned.m{}n{}k{}.{}.{}.{} {}, {}, {:#x}, {}", place, mma.m, mma.n, mma.k, isa::name(mma.d),
                      isa::name(mma.a), isa::name(mma.b), register_list(operands.d, accumulators), a, descriptor(operands.descriptors + 2U),
                      warpgroup_values(warp, op).accumulate && operands.c != isa::zero_register ? 1 : 0);
  if (mma.d != isa::element_type::s32) text += ", 1, 1";  // signs, which integers do not have
  if (isa::bits(mma.a) == 16) {
    if (!in_registers) text += fmt::format(", {}", transposed(operands.matrices.a_major));
    text += fmt::format(", {}", transposed(operands.matrices.b_major));
  }
  text += '\n';
  if (code.text.find("gsb") != std::string::npos) text += place + "wgmma.commit_group.sync.aligned\n";
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
