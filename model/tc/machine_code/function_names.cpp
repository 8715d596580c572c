// SPDX-License-Identifier: Apache-2.0
#include "function_names.hpp"

#include <set>

#include <fmt/format.h>

namespace tc::machine_code {

namespace {

/// Whether a word of the function begins at an offset.
bool is_word(const code_function& function, std::uint64_t offset) {
  return offset % instruction_bytes == 0 && offset < function.words.size() * instruction_bytes;
}

}  // namespace

function_names::function_names(const code_function& function, const decoder& decoder, std::size_t& label_count) : own_name_(function.name) {
  for (const auto& symbol : function.functions) names_.emplace(symbol.offset, symbol.name);
  for (const auto& relocation : function.relocations) relocations_.emplace(relocation.offset, &relocation);
  std::set<std::uint64_t> targets;
  for (std::size_t i = 0; i < function.words.size(); ++i) {
    const auto target = decoder.target(function.words[i], i * instruction_bytes);
    if (target && is_word(function, *target)) targets.insert(*target);
  }
  for (const auto& relocation : function.relocations)
    if (relocation.symbol == function.name && relocation.addend > 0 && is_word(function, static_cast<std::uint64_t>(relocation.addend)))
      targets.insert(static_cast<std::uint64_t>(relocation.addend));
  for (const std::uint64_t target : targets)
    if (names_.count(target) == 0) labels_.emplace(target, fmt::format(".L_x_{}", label_count++));
}

std::string function_names::target(std::uint64_t address) const {
  if (const auto label = labels_.find(address); label != labels_.end()) return "`(" + label->second + ")";
  if (const auto name = names_.find(address); name != names_.end()) return "`(" + name->second + ")";
  return {};
}

std::string function_names::immediate(std::uint64_t pc) const {
  const auto found = relocations_.lower_bound(pc);
  if (found == relocations_.end() || found->first >= pc + instruction_bytes) return {};
  return relocated(*found->second);
}

std::string function_names::relocated(const code_relocation& relocation) const {
  // R_CUDA_ABS32_LO_32 and R_CUDA_ABS32_HI_32; the others are those of functions that are called by their address.
  constexpr std::uint32_t lower_half = 56, upper_half = 57, unified_lower_half = 112, unified_upper_half = 113;
  std::string name = relocation.symbol;
  if (relocation.addend != 0) {
    const auto label = own_name_ == name ? labels_.find(static_cast<std::uint64_t>(relocation.addend)) : labels_.end();
    name =
        label != labels_.end() ? fmt::format("({} + {}@srel)", name, label->second) : fmt::format("({} + {:#x})", name, relocation.addend);
  }
  if (relocation.type == lower_half || relocation.type == unified_lower_half) return "32@lo(" + name + ")";
  if (relocation.type == upper_half || relocation.type == unified_upper_half) return "32@hi(" + name + ")";
  return "`(" + name + ")";
}

}  // namespace tc::machine_code
