// SPDX-License-Identifier: Apache-2.0
#include "memory_accesses.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

namespace tcsim::random_programs {

namespace isa = tc::isa;

namespace {

constexpr unsigned lanes = lanes_of_warp, widest_access = 16, row_bytes = 16;

struct access_width {
  std::string_view suffix;
  unsigned bytes, registers;
};
constexpr std::array<access_width, 9> widths{{{"", 4, 1},
                                              {"", 4, 1},
                                              {".64", 8, 2},
                                              {".128", 16, 4},
                                              {".128", 16, 4},
                                              {".U8", 1, 1},
                                              {".S8", 1, 1},
                                              {".U16", 2, 1},
                                              {".S16", 2, 1}}};

std::string list_text(const std::vector<std::uint64_t>& addresses) {
  std::string text = "{";
  for (const std::uint64_t address : addresses) text += fmt::format("{}{:#x}", text.size() > 1 ? ", " : "", address);
  return text + "}";
}

/// Addresses of a warp's lanes, of which lane 0 has the first whether it is active or not.
std::string strided(std::uint64_t first, const warp_text& warp) {
  if (warp.lanes() == 0) return {};
  const auto lane = static_cast<unsigned>(__builtin_ctz(warp.lanes()));
  return fmt::format("{:#x}+{}", first + std::uint64_t{lane} * widest_access, widest_access);
}

std::string register_name(unsigned index) { return fmt::format("R{}", index); }

}  // namespace

std::string memory_accesses::global_reference(const std::string& base) const {
  switch (isa::info(arch_).global) {
    case isa::global_reference::pointer:
      return fmt::format("[{}]", base);
    case isa::global_reference::wide_pointer:
      return base == "RZ" ? "[RZ]" : fmt::format("[{}.64]", base);
    default:
      return fmt::format("desc[UR4][{}.64]", base);
  }
}

std::string memory_accesses::global_suffix() {
  if (random_.chance(10)) return ".STRONG.GPU";
  return std::string(isa::info(arch_).global_scope);
}

std::uint32_t memory_accesses::random_mask(const warp_text& warp) {
  const unsigned choice = random_.below(100);
  std::uint32_t mask = random_.word();
  if (choice < 55)
    mask = all_lanes;
  else if (choice < 58)
    mask = 0;
  else if (choice < 70)
    mask = 1U << random_.below(lanes);
  else if (choice < 80)
    mask = all_lanes >> random_.below(lanes);
  return mask & warp.lanes();
}

/// Strides within a block, scattered lanes, or all lanes at one place.
std::string memory_accesses::addresses(const std::vector<std::uint64_t>& blocks, unsigned bytes, std::uint32_t mask) {
  const unsigned style = random_.below(100);
  const auto block = [&] { return blocks[random_.below(static_cast<unsigned>(blocks.size()))]; };
  const auto place = [&] { return random_.below(block_bytes / bytes) * bytes; };
  const std::uint64_t one_block = block(), first = place(), stride = random_.chance(60) ? bytes : bytes << random_.below(6);
  std::vector<std::uint64_t> result;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    if ((mask >> lane & 1U) == 0) continue;
    if (style < 60)
      result.push_back(one_block + (first + stride * lane) % block_bytes);
    else if (style < 90)
      result.push_back(block() + place());
    else
      result.push_back(one_block + first);
  }
  return list_text(result);
}

void memory_accesses::add_global(warp_text& warp, const warp_blocks& blocks) {
  const access_width width = random_.pick(widths);
  const std::uint32_t mask = random_mask(warp);
  const bool is_store = !blocks.written.empty() && random_.chance(45);
  const std::vector<std::uint64_t>& where = is_store ? blocks.written : blocks.read;
  if (where.empty()) return;
  const std::string data = random_registers(random_, width.registers), at = global_reference(random_registers(random_, 2));
  const std::string suffix = fmt::format(".E{}{}", width.suffix, global_suffix());
  const std::string text =
      is_store ? fmt::format("STG{} {}, {}", suffix, at, random_.chance(5) ? "RZ" : data) : fmt::format("LDG{} {}, {}", suffix, data, at);
  warp.add(text, mask, mask == 0 ? "" : addresses(where, width.bytes, mask));
}

void memory_accesses::add_shared(warp_text& warp, const warp_blocks& blocks) {
  if (arch_ >= isa::architecture::sm_75 && random_.chance(30)) return add_matrices(warp, blocks);
  const access_width width = random_.pick(widths);
  const std::uint32_t mask = random_mask(warp);
  const bool is_store = !blocks.written.empty() && random_.chance(50);
  const std::vector<std::uint64_t>& where = is_store ? blocks.written : blocks.read;
  if (where.empty()) return;
  const std::string data = random_registers(random_, width.registers), base = random_registers(random_, 1);
  const std::string text = is_store ? fmt::format("STS{} [{}], {}", width.suffix, base, random_.chance(5) ? "RZ" : data)
                                    : fmt::format("LDS{} {}, [{}]", width.suffix, data, base);
  warp.add(text, mask, mask == 0 ? "" : addresses(where, width.bytes, mask));
}

/// An address for each lane, of rows that no other lane has if they are to be distinct.
std::string memory_accesses::rows(const std::vector<std::uint64_t>& blocks, bool distinct) {
  std::vector<std::uint64_t> all, chosen;
  for (const std::uint64_t block : blocks)
    for (unsigned row = 0; row < block_bytes / row_bytes; ++row) all.push_back(block + row * row_bytes);
  for (unsigned lane = 0; lane < lanes; ++lane) {
    const unsigned other = random_.between(lane, static_cast<unsigned>(all.size()) - 1);
    if (distinct) std::swap(all[lane], all[other]);
    chosen.push_back(distinct ? all[lane] : all[random_.below(static_cast<unsigned>(all.size()))]);
  }
  return list_text(chosen);
}

void memory_accesses::add_matrices(warp_text& warp, const warp_blocks& blocks) {
  if (!warp.is_whole()) return;
  const unsigned matrices = 1U << random_.below(3);
  const bool is_store = arch_ >= isa::architecture::sm_90 && !blocks.written.empty() && random_.chance(40);
  const std::vector<std::uint64_t>& where = is_store ? blocks.written : blocks.read;
  if (where.empty()) return;
  const std::string suffix =
      fmt::format(".16.{}{}", random_.chance(40) ? "MT88" : "M88", matrices == 1 ? "" : fmt::format(".{}", matrices));
  const std::string data = random_registers(random_, matrices), base = random_registers(random_, 1);
  warp.add(is_store ? fmt::format("STSM{} [{}], {}", suffix, base, data) : fmt::format("LDSM{} {}, [{}]", suffix, data, base), all_lanes,
           rows(where, is_store));
}

void memory_accesses::load_global(warp_text& warp, unsigned first_register, std::uint64_t address) {
  warp.add(fmt::format("LDG.E.128{} {}, {}", isa::info(arch_).global_scope, register_name(first_register), global_reference("RZ")),
           all_lanes, strided(address, warp));
}

void memory_accesses::store_global(warp_text& warp, unsigned first_register, std::uint64_t address) {
  warp.add(fmt::format("STG.E.128{} {}, {}", isa::info(arch_).global_scope, global_reference("RZ"), register_name(first_register)),
           all_lanes, strided(address, warp));
}

void memory_accesses::load_shared(warp_text& warp, unsigned first_register, std::uint64_t address) {
  warp.add(fmt::format("LDS.128 {}, [RZ]", register_name(first_register)), all_lanes, strided(address, warp));
}

}  // namespace tcsim::random_programs
