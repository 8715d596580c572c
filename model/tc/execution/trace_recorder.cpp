// SPDX-License-Identifier: Apache-2.0
#include "trace_recorder.hpp"

#include <algorithm>
#include <array>
#include <ostream>

#include <fmt/format.h>

#include <tc/execution/program.hpp>
#include <tc/execution/warp_state.hpp>
#include <tc/isa/architecture.hpp>
#include <tc/isa/element_type.hpp>
#include <tc/isa/number_text.hpp>
#include <tc/trace/trace_writing.hpp>

namespace tc::execution {

namespace {

trace::kernel_header header_of(const launches::launch& launch, const listings::sass_kernel& kernel) {
  trace::kernel_header header;
  header.arch = kernel.arch;
  header.kernel = launch.kernel;
  header.grid = launch.grid;
  header.block = launch.block;
  header.cluster = launch.cluster;
  if (launch.registers != 0) header.registers = launch.registers;
  header.shared_bytes = launch.shared_bytes() + isa::info(kernel.arch).reserved_shared_bytes;
  header.has_data = false;
  return header;
}

/// The operand that the addresses of an instruction are of: of a copy to shared memory the global one, which stands last.
const isa::memory_reference* traced_address(const isa::instruction& code) {
  const bool is_copy = isa::info(code.op).memory.action == isa::memory_action::copy;
  const isa::memory_reference* found = nullptr;
  for (unsigned s = 0; s < code.source_count && (found == nullptr || is_copy); ++s)
    if (code.sources[s].what == isa::operand::kind::memory) found = &code.sources[s].memory;
  return found;
}

void append_access(const warp_state& warp, const operation& op, std::uint32_t mask, std::string& text) {
  const trace::memory_access& access = warp.code().listed(op).access;
  const isa::memory_reference* const operand = traced_address(*op.code);
  if (access.space == isa::memory_space::none || mask == 0 || operand == nullptr) return;
  std::array<std::uint64_t, warp::lanes_per_warp> computed{};
  warp.addresses(*operand, computed);
  const bool is_window = access.space == isa::memory_space::shared || access.space == isa::memory_space::local;
  trace::address_list addresses;
  trace::for_each_lane(access.every_lane ? trace::all_lanes : mask,
                       [&](unsigned lane) { addresses.set(lane, is_window ? computed[lane] & 0xffffffffU : computed[lane]); });
  trace::append_addresses(text, addresses);
}

/// "{R24, R25, R26, R27}".
std::string register_list(unsigned first, unsigned count) {
  std::string text = "{";
  for (unsigned i = 0; i < count; ++i) text += fmt::format("{}R{}", i == 0 ? "" : ", ", first + i);
  return text + "}";
}

}  // namespace

trace_recorder::trace_recorder(const launches::launch& launch, const listings::sass_kernel& kernel, std::ostream& trace)
    : header_(header_of(launch, kernel)), trace_(trace) {
  trace_ << trace::header_text(header_);
}

std::string& trace_recorder::text_of(const warp_state& warp) {
  auto& warps = warps_[warp.context().cta];
  if (warps.empty()) warps.resize(header_.warps_per_cta());
  return warps[warp.context().warp_in_cta];
}

void trace_recorder::executes(const warp_state& warp, const operation& op, std::uint32_t mask) {
  std::string& text = text_of(warp);
  const std::string& line = warp.code().listed(op).line;
  if (op.warpgroup != nullptr || line.empty()) return append_product(warp, op, text);
  text += line;
  if (mask != header_.lanes_of_warp(warp.context().warp_in_cta)) text += fmt::format(" mask {:08x}", mask);
  append_access(warp, op, mask, text);
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
                      operands.c == isa::zero_register ? 0 : 1);
  if (mma.d != isa::element_type::s32) text += ", 1, 1";  // signs, which integers do not have
  if (isa::bits(mma.a) == 16) {
    if (!in_registers) text += fmt::format(", {}", transposed(operands.matrices.a_major));
    text += fmt::format(", {}", transposed(operands.matrices.b_major));
  }
  text += '\n';
  if (code.text.find("gsb") != std::string::npos) text += place + "wgmma.commit_group.sync.aligned\n";
}

void trace_recorder::ended(std::uint64_t cta) {
  const auto found = warps_.find(cta);
  if (found == warps_.end()) return;
  const trace::dim3& grid = header_.grid;
  trace_ << fmt::format("cta {} {} {}\n", cta % grid.x, cta / grid.x % grid.y, cta / grid.x / grid.y);
  for (std::size_t warp = 0; warp < found->second.size(); ++warp) trace_ << fmt::format("warp {}\n", warp) << found->second[warp];
  warps_.erase(found);
}

}  // namespace tc::execution
