// SPDX-License-Identifier: Apache-2.0
#include "accelsim_text.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include <tc/trace/memory_access.hpp>

namespace tc::importers::test {
namespace {

/// The operands that are in vector registers, as the tracer sorts them: the first operand of all is the destination.
struct recorded_registers {
  std::optional<unsigned> destination;
  std::vector<unsigned> sources;
  std::uint64_t immediate = 0;
  bool is_access = false;
};

void record(const isa::operand& operand, bool is_first, recorded_registers& into) {
  using kind = isa::operand::kind;
  if (operand.is_register(isa::register_file::vector)) {
    if (is_first)
      into.destination = operand.index;
    else
      into.sources.push_back(operand.index);
  }
  if (operand.what == kind::memory) into.sources.push_back(operand.memory.base);
  if (operand.what == kind::memory) into.is_access = true;
  if (operand.what == kind::immediate) into.immediate = operand.value;
}

recorded_registers record(const isa::instruction& code) {
  recorded_registers registers;
  bool is_first = true;
  for (unsigned i = 0; i < code.destination_count; ++i) record(code.destinations.at(i), std::exchange(is_first, false), registers);
  for (unsigned i = 0; i < code.source_count; ++i) record(code.sources.at(i), std::exchange(is_first, false), registers);
  return registers;
}

std::string step_text(const trace::step& step, unsigned version) {
  const recorded_registers registers = record(*step.code);
  const std::string& text = step.code->text;
  std::string line = fmt::format("{:04x} {:08x} ", step.pc, step.mask);
  line += registers.destination ? fmt::format("1 R{} ", *registers.destination) : "0 ";
  line += fmt::format("{} {} ", text.substr(0, text.find(' ')), registers.sources.size());
  for (const unsigned source : registers.sources) line += fmt::format("R{} ", source);
  if (!registers.is_access) line += "0 ";
  // With mask 0 the tracer has tried base and stride, and succeeded.
  else if (step.addresses.empty())
    line += "4 1 0x0 0 ";
  else
    line += fmt::format("{} {} ", step.code->mods.access_bits / 8, accelsim_addresses(address_mode::differences, step.addresses));
  return line + (version >= 4 ? fmt::format("{} \n", registers.immediate) : "\n");
}

}  // namespace

std::string accelsim_header_text(unsigned version, unsigned binary_version, unsigned threads, const std::string& more) {
  return fmt::format(
      "-kernel name = _Z6kernelPf\n-kernel id = 1\n-grid dim = (1,1,1)\n-block dim = ({},1,1)\n-shmem = 8192\n-nregs = 128\n"
      "-binary version = {}\n-cuda stream id = 0\n-shmem base_addr = 0x00007f9310000000\n-local mem base_addr = 0x00007f930e000000\n"
      "-nvbit version = 1.5.5\n-accelsim tracer version = {}\n{}{}\n"
      "#traces format = PC mask dest_num [reg_dests] opcode src_num [reg_srcs] mem_width [adrrescompress?] [mem_addresses]\n\n",
      threads, binary_version, version, version >= 4 ? "-enable lineinfo = 0\n" : "", more);
}

std::string one_accelsim_warp(unsigned version, unsigned binary_version, const std::vector<std::string>& lines) {
  std::string text = accelsim_header_text(version, binary_version);
  text += fmt::format("#BEGIN_TB\n\nthread block = 0,0,0\n\nwarp = 0\ninsts = {}\n", lines.size());
  for (const std::string& line : lines) text += line + '\n';
  return text + "\n#END_TB\n";
}

std::string accelsim_addresses(address_mode mode, const trace::address_list& addresses) {
  std::string text = fmt::format("{}", static_cast<int>(mode));
  std::optional<std::uint64_t> last;
  trace::for_each_lane(addresses.lanes(), [&](unsigned lane) {
    const auto difference = static_cast<std::int64_t>(addresses[lane] - last.value_or(0));
    if (!last || mode == address_mode::list)
      text += fmt::format(" {:#018x}", addresses[lane]);
    else if (mode == address_mode::differences || lane == trace::first_lane(addresses.lanes()) + 1)
      text += fmt::format(" {}", difference);
    last = addresses[lane];
  });
  return text;
}

std::string accelsim_recording(const trace::trace& kernel, unsigned version) {
  const trace::kernel_header& header = kernel.header();
  const std::string_view arch = isa::name(header.arch);
  std::string text = fmt::format(
      "-kernel name = {}\n-grid dim = ({},{},{})\n-block dim = ({},{},{})\n-shmem = {}\n-nregs = {}\n-binary version = {}\n"
      "-shmem base_addr = 0x7f0000000000\n-accelsim tracer version = {}\n",
      header.kernel, header.grid.x, header.grid.y, header.grid.z, header.block.x, header.block.y, header.block.z,
      header.shared_bytes - std::min<std::uint64_t>(header.shared_bytes, isa::info(header.arch).reserved_shared_bytes), header.registers,
      arch.substr(3), version);
  for (const trace::cta_entry& cta : kernel.ctas()) {
    text += fmt::format("#BEGIN_TB\nthread block = {},{},{}\n", cta.x, cta.y, cta.z);
    for (std::uint32_t index = 0; index < cta.warp_count; ++index) {
      trace::warp_player player = kernel.play(cta, index);
      std::string lines;
      unsigned count = 0;
      for (trace::step step; player.next(step); ++count) lines += step_text(step, version);
      text += fmt::format("warp = {}\ninsts = {}\n{}", player.warp(), count, lines);
    }
    text += "#END_TB\n";
  }
  return text;
}

}  // namespace tc::importers::test
