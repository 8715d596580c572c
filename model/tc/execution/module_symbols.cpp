// SPDX-License-Identifier: Apache-2.0
#include "module_symbols.hpp"

#include <algorithm>

#include <tc/listings/symbol_expression.hpp>

namespace tc::execution {

namespace {

/// Where functions of the system would lie, beyond all memory: code is only to be told from other addresses.
constexpr std::uint64_t function_window = std::uint64_t{3} << 52, function_bytes = 16;
constexpr std::uint64_t variable_alignment = 512, first_variable = std::uint64_t{1} << 40;

std::uint64_t aligned(std::uint64_t address) { return (address + variable_alignment - 1) / variable_alignment * variable_alignment; }

}  // namespace

module_symbols::module_symbols(const launches::launch& launch, const listings::sass_kernel& kernel) : launch_(launch), kernel_(kernel) {
  end_ = launch.allocations.empty() ? first_variable : aligned(launch.allocations.back().end());
  for (const listings::listed_variable& variable : kernel.variables) {
    if (address_of_symbol(variable.name)) continue;
    placed_.push_back({end_, &variable});
    end_ = aligned(end_ + variable.bytes);
  }
  place_bank();
  for (const listings::listed_reference& each : kernel.references) add_functions(listings::symbols_in_data(each.symbol.text));
  for (const listings::listed_instruction& each : kernel.code) add_functions(listings::symbols_in_code(each.text));
}

void module_symbols::place_bank() {
  for (const launches::launch_allocation& each : launch_.allocations) {
    const auto variable = kernel_.constant_variables.find(each.name);
    if (variable == kernel_.constant_variables.end() || variable->second.bank != variable_bank) continue;
    bank_address_ = each.base - variable->second.offset;
    is_bank_given_ = true;
    return;
  }
  bank_address_ = end_;
  std::uint64_t bytes = 0;
  for (const listings::listed_constants& each : kernel_.constants)
    if (each.bank == variable_bank) bytes = std::max(bytes, each.content.offset + each.content.bytes.size());
  end_ = aligned(end_ + bytes);
}

/// What nothing else has is a function of the system. Names that begin with a dot are those of the compiler and the linker.
void module_symbols::add_functions(const std::vector<std::string_view>& names) {
  for (const std::string_view name : names)
    if (name.front() != '.' && !address_of_symbol(name)) functions_.emplace_back(name);
}

std::optional<std::uint64_t> module_symbols::address_of_symbol(std::string_view symbol) const {
  const std::string name(symbol);
  if (const auto label = kernel_.labels.find(name); label != kernel_.labels.end()) return code_address() + label->second;
  if (name == kernel_.name) return code_address();
  for (const launches::launch_allocation& each : launch_.allocations)
    if (each.name == name) return each.base;
  for (const placed_variable& each : placed_)
    if (each.variable->name == name) return each.base;
  const auto constant = kernel_.constant_variables.find(name);
  if (constant != kernel_.constant_variables.end() && constant->second.bank == variable_bank)
    return bank_address_ + constant->second.offset;
  const auto function = std::find(functions_.begin(), functions_.end(), name);
  if (function == functions_.end()) return std::nullopt;
  return function_window + static_cast<std::uint64_t>(function - functions_.begin()) * function_bytes;
}

std::optional<std::uint64_t> module_symbols::address_of(std::string_view expression) const {
  return listings::value_of_sum(expression, [this](std::string_view name, bool is_relative) -> std::optional<std::uint64_t> {
    const auto label = is_relative ? kernel_.labels.find(std::string(name)) : kernel_.labels.end();
    if (label != kernel_.labels.end()) return label->second - kernel_.begin_of(label->second);
    return address_of_symbol(name);
  });
}

std::string module_symbols::function_at(std::uint64_t address) const {
  const std::uint64_t number = (address - function_window) / function_bytes;
  return address >= function_window && number < functions_.size() ? functions_[number] : std::string();
}

}  // namespace tc::execution
