// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <tc/isa/architecture.hpp>

namespace tc::listings {

/// A function of a listing.
struct listed_function {
  std::string name;
  std::string target;      ///< "sm_90a"; empty if nothing in front of it says so
  std::uint64_t line = 0;  ///< where it begins
  bool is_entry = false;   ///< marked as a kernel
};

/// Which function of a listing is to be imported.
class sass_function_choice {
 public:
  sass_function_choice(std::string name, std::optional<isa::architecture> arch) : name_(std::move(name)), arch_(arch) {}

  /// Takes the next function of the listing. Its target and whether it is a kernel may become known later.
  void add(listed_function function) { functions_.push_back(std::move(function)); }
  bool empty() const { return functions_.empty(); }
  listed_function& last() { return functions_.back(); }
  /// Whether the last function should be kept instead of the ones before it, as far as these are known.
  bool prefers_last() const;

  /// The one that is asked for. Throws trace::trace_error, with `file`, if there is none, or more than one.
  const listed_function& chosen(const std::string& file) const;

 private:
  bool is_named(const listed_function& function) const { return name_.empty() || function.name == name_; }
  bool has_architecture(const listed_function& function) const;
  /// The higher, the sooner it is taken: a kernel before a function, one of the architecture before others.
  unsigned rank(const listed_function& function) const { return (function.is_entry ? 2U : 0U) + (has_architecture(function) ? 1U : 0U); }

  std::string name_;
  std::optional<isa::architecture> arch_;
  std::vector<listed_function> functions_;
};

}  // namespace tc::listings
