// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <tc/fabric/record_type.hpp>

namespace tc::observe {

/// A signal that waves have for each stream of records of a type.
struct wave_signal {
  enum class source { open, count, attribute };

  std::string_view name;  ///< "active" or "open", "count", or the attribute's
  unsigned bits = 1;
  source what = source::attribute;
  std::size_t attribute = 0;  ///< its place among the type's
  bool is_text = false;       ///< 8 bits for each character
};

/// The signals of a type:
/// * `open`: how many records are open, called `active` if there is at most one;
/// * `count` (64 bits): how many have begun so far, so that what is counted in the waves can be compared with statistics;
/// * one for each attribute that has a width and is no other record: a number, the index of a choice in as many bits as that takes, or
/// ASCII
///   text, the last character in the lowest 8 bits, which viewers can show as text.
std::vector<wave_signal> wave_signals(const fabric::record_type& type);

/// "0 first, 1 second, ...": what the values of a choice mean.
std::string choice_text(const fabric::record_attribute& attribute);

}  // namespace tc::observe
