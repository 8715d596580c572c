// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tc/launches/launch.hpp>
#include <tc/listings/sass_listing.hpp>

namespace tc::execution {

/// The addresses of what code names: labels of its own, variables of the module, functions of the system. Variables lie where the launch
/// says, or else behind all of its allocations.
class module_symbols {
 public:
  /// `kernel` must outlive the symbols.
  module_symbols(const launches::launch& launch, const listings::sass_kernel& kernel);

  /// A variable for which the launch has no line.
  struct placed_variable {
    std::uint64_t base = 0;
    const listings::listed_variable* variable = nullptr;
  };
  /// By address.
  const std::vector<placed_variable>& placed() const { return placed_; }
  /// The constant bank in which variables lie.
  static constexpr unsigned variable_bank = 3;
  /// Where the bytes of that bank can be read as global memory: so that a variable for which the launch has a line lies where that says, or
  /// behind all other memory.
  std::uint64_t bank_address() const { return bank_address_; }
  /// Whether the launch has memory there.
  bool is_bank_given() const { return is_bank_given_; }
  /// An address behind all memory of the launch.
  std::uint64_t end() const { return end_; }

  /// Where the kernel's first instruction lies: where the launch says, or else at a place of this program's own choice.
  std::uint64_t code_address() const { return launch_.code_address.value_or(usual_code_address); }
  /// The value of a sum of symbols: "table", "(k + .L_x_5@srel)". Nothing for what is no sum of symbols that are known.
  std::optional<std::uint64_t> address_of(std::string_view expression) const;
  /// The function of the system at an address; empty if there is none.
  std::string function_at(std::uint64_t address) const;

 private:
  static constexpr std::uint64_t usual_code_address = std::uint64_t{1} << 28U;

  void place_bank();
  void add_functions(const std::vector<std::string_view>& names);
  std::optional<std::uint64_t> address_of_symbol(std::string_view symbol) const;

  const launches::launch& launch_;
  const listings::sass_kernel& kernel_;
  std::vector<placed_variable> placed_;
  std::uint64_t end_ = 0, bank_address_ = 0;
  bool is_bank_given_ = false;
  std::vector<std::string> functions_;
};

}  // namespace tc::execution
