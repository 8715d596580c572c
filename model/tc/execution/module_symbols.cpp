// SPDX-License-Identifier: Apache-2.0
#include "module_symbols.hpp"

#include <algorithm>

namespace tc::execution {

namespace {

/// Where functions of the system would lie, beyond all memory: code is only to be told from other addresses.
constexpr std::uint64_t function_window = std::uint64_t{3} << 52, function_bytes = 16;
constexpr std::uint64_t variable_alignment = 512, first_variable = std::uint64_t{1} << 40;

constexpr std::string_view relative = "@srel";

std::string_view plain_symbol(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" ("), last = text.find_last_not_of(" )");
  if (first == std::string_view::npos) return {};
  text = text.substr(first, last - first + 1);
  if (text.size() > relative.size() && text.substr(text.size() - relative.size()) == relative) text.remove_suffix(relative.size());
  return text;
}

std::uint64_t aligned(std::uint64_t address) { return (address + variable_alignment - 1) / variable_alignment * variable_alignment; }

/// Whether a symbol is a name, and not part of an expression of another kind.
bool is_name(std::string_view text) { return !text.empty() && text.find_first_of(" -*/@,") == std::string_view::npos; }

}  // namespace

module_symbols::module_symbols(const launches::launch& launch, const listings::sass_kernel& kernel) : launch_(launch), kernel_(kernel) {
  std::uint64_t next = launch.allocations.empty() ? first_variable : aligned(launch.allocations.back().end());
  for (const listings::listed_variable& variable : kernel.variables) {
    if (address_of_symbol(variable.name)) continue;
    placed_.push_back({next, &variable});
    next = aligned(next + variable.bytes);
  }
  for (const listings::listed_reference& reference : kernel.references) {
    const std::string name(plain_symbol(reference.symbol.text));
    if (is_name(name) && name.front() != '.' && !address_of_symbol(name)) functions_.push_back(name);
  }
}

std::optional<std::uint64_t> module_symbols::address_of_symbol(std::string_view name) const {
  const auto label = kernel_.labels.find(std::string(name));
  if (label != kernel_.labels.end()) return launch_.code_address + label->second;
  if (name == kernel_.name) return launch_.code_address;
  for (const launches::launch_allocation& each : launch_.allocations)
    if (each.name == name) return each.base;
  for (const placed_variable& each : placed_)
    if (each.variable->name == name) return each.base;
  const auto function = std::find(functions_.begin(), functions_.end(), name);
  if (function == functions_.end()) return std::nullopt;
  return function_window + static_cast<std::uint64_t>(function - functions_.begin()) * function_bytes;
}

/// Labels behind the kernel's own name are relative to it, so that the address of the code counts once.
std::optional<std::uint64_t> module_symbols::address_of(std::string_view expression) const {
  std::uint64_t sum = 0;
  bool is_first = true;
  while (!expression.empty()) {
    const std::size_t plus = std::min(expression.find('+'), expression.size());
    const std::string_view part = expression.substr(0, plus);
    const bool is_relative = part.find(relative) != std::string_view::npos;
    const auto value = address_of_symbol(plain_symbol(part));
    if (!value) return std::nullopt;
    sum += is_relative || !is_first ? *value - launch_.code_address : *value;
    is_first = false;
    expression.remove_prefix(std::min(plus + 1, expression.size()));
  }
  return sum;
}

std::string module_symbols::function_at(std::uint64_t address) const {
  const std::uint64_t number = (address - function_window) / function_bytes;
  return address >= function_window && number < functions_.size() ? functions_[number] : std::string();
}

}  // namespace tc::execution
