// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <string_view>
#include <vector>

#include <tc/isa/source_text.hpp>

namespace tc::isa {

/// The dotted parts behind the mnemonic in the name of an instruction of PTX, such as ".sync.aligned", taken one after the other in PTX's
/// order. An error names all that could have stood at its place.
class qualifier_list {
 public:
  /// `text` is empty or begins with a dot; a part of `source`.
  qualifier_list(std::string_view text, const source_text& source) : rest_(text), source_(&source) {}

  /// Whether all qualifiers have been taken.
  bool at_end() const { return rest_.empty(); }
  /// Takes the next qualifier if it is one of `choices`; empty if it is not.
  std::string_view take(std::initializer_list<std::string_view> choices);
  bool take(std::string_view choice) { return !take({choice}).empty(); }
  /// Takes the next qualifier, which must be one of `choices`. Throws syntax_error.
  std::string_view require(std::initializer_list<std::string_view> choices);
  /// Takes the next qualifier, whatever it is. Throws syntax_error if there is none; `what` names it.
  std::string_view next(std::string_view what);
  /// Throws syntax_error if anything is left.
  void finish();

 private:
  std::string_view front() const;
  [[noreturn]] void fail() const;

  std::string_view rest_;
  const source_text* source_;
  std::vector<std::string_view> expected_;  ///< what could have stood at the begin of rest_
};

}  // namespace tc::isa
