// SPDX-License-Identifier: Apache-2.0
#include "architecture.hpp"

#include <algorithm>
#include <iterator>

namespace tc::isa {
namespace {

constexpr std::string_view no_scope;
constexpr std::string_view barrier = "BAR.SYNC", deferred = "BAR.SYNC.DEFER_BLOCKING";
constexpr std::string_view pack = "F2FP.PACK_AB", pack_formats = "F2FP.F16.F32.PACK_AB";
constexpr auto pointer = global_reference::pointer, wide = global_reference::wide_pointer, descriptor = global_reference::descriptor;

// clang-format off
constexpr std::array<architecture_info, architecture_count> architecture_rows{{
    // architecture, name, generation, offset of parameters, of block and grid extents, of the descriptor, reserved shared bytes, references to global memory, their
    // scope, barrier, packing of halves; octet steps, generic fragment accesses, clusters, tensor memory
    {architecture::sm_70, "sm_70", "volta", 0x160, 0x0, 0xc, 0, 0, pointer, ".SYS", barrier, pack, true, true, false, false},
    {architecture::sm_75, "sm_75", "turing", 0x160, 0x0, 0xc, 0, 0, pointer, ".SYS", barrier, pack, false, false, false, false},
    {architecture::sm_80, "sm_80", "ampere", 0x160, 0x0, 0xc, 0, 0, wide, no_scope, deferred, pack, false, false, false, false},
    {architecture::sm_86, "sm_86", "ampere", 0x160, 0x0, 0xc, 0, 0, wide, no_scope, deferred, pack, false, false, false, false},
    {architecture::sm_89, "sm_89", "ada_lovelace", 0x160, 0x0, 0xc, 0, 0, wide, no_scope, deferred, pack_formats, false, false, false, false},
    {architecture::sm_90, "sm_90", "hopper", 0x210, 0x0, 0xc, 0x208, 1024, descriptor, no_scope, deferred, pack_formats, false, false, true, false},
    {architecture::sm_100, "sm_100", "blackwell", 0x380, 0x360, 0x370, 0x358, 1024, descriptor, no_scope, deferred, pack_formats, false, false, true, true},
    {architecture::sm_120, "sm_120", "blackwell", 0x380, 0x360, 0x370, 0x358, 1024, descriptor, no_scope, deferred, pack_formats, false, false, true, false},
}};
// clang-format on

constexpr bool rows_follow_the_enumeration() {
  for (std::size_t i = 0; i < architecture_rows.size(); ++i)
    if (architecture_rows[i].arch != static_cast<architecture>(i) || architecture_rows[i].parameter_offset == 0 ||
        architecture_rows[i].pack_halves.empty())
      return false;
  return true;
}
static_assert(rows_follow_the_enumeration(), "an architecture lacks its row, or a column of it");

/// A chip without a row of its own, and the architecture whose code its own is like.
struct related_architecture {
  std::string_view name;
  architecture arch;
};

/// By generation (CUDA C++ Programming Guide, compute capabilities): embedded chips follow the ones that come before them.
constexpr related_architecture related_architectures[] = {
    {"sm_72", architecture::sm_70},   {"sm_87", architecture::sm_86},   {"sm_88", architecture::sm_86},   {"sm_101", architecture::sm_100},
    {"sm_103", architecture::sm_100}, {"sm_110", architecture::sm_100}, {"sm_121", architecture::sm_120},
};

}  // namespace

const architecture_info& info(architecture arch) { return architecture_rows.at(static_cast<std::size_t>(arch)); }

const std::array<architecture_info, architecture_count>& all_architectures() { return architecture_rows; }

std::string_view name(architecture arch) { return info(arch).name; }

std::optional<architecture> find_architecture(std::string_view text) {
  const bool has_letter = !text.empty() && (text.back() == 'a' || text.back() == 'f');
  const std::string_view number = text.substr(0, text.size() - (has_letter ? 1 : 0));
  const auto* const found = std::find_if(architecture_rows.begin(), architecture_rows.end(),
                                         [number](const architecture_info& row) { return row.name == number; });
  if (found == architecture_rows.end() || (has_letter && found->arch < architecture::sm_90)) return std::nullopt;
  return found->arch;
}

std::optional<architecture> find_related_architecture(std::string_view text) {
  if (const auto own = find_architecture(text)) return own;
  const std::string_view number = text.substr(0, text.find_last_of("0123456789") + 1);
  const auto* const found = std::find_if(std::begin(related_architectures), std::end(related_architectures),
                                         [number](const related_architecture& row) { return row.name == number; });
  if (found == std::end(related_architectures)) return std::nullopt;
  return found->arch;
}

std::string architecture_names(bool (*has)(const architecture_info& arch)) {
  std::string names;
  for (const architecture_info& row : architecture_rows)
    if (has == nullptr || has(row)) names += (names.empty() ? "" : ", ") + std::string(row.name);
  return names;
}

std::string describe(architecture_range range) {
  const std::string first(name(range.first));
  if (range.first == range.last) return first + " only";
  if (range.last == newest_architecture) return first + " and later";
  return first + " to " + std::string(name(range.last));
}

}  // namespace tc::isa
