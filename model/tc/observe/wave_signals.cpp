// SPDX-License-Identifier: Apache-2.0
#include "wave_signals.hpp"

#include <fmt/format.h>

namespace tc::observe {

namespace {

unsigned bits_to_count_to(std::size_t last) {
  unsigned bits = 1;
  while (last >>= 1U) ++bits;
  return bits;
}

bool is_in_waves(const fabric::record_attribute& attribute) {
  return attribute.bits > 0 && attribute.kind != fabric::attribute_kind::record;
}

unsigned bits_of(const fabric::record_attribute& attribute) {
  const bool is_choice = attribute.kind == fabric::attribute_kind::choice && attribute.choice_count > 0;
  return is_choice ? bits_to_count_to(attribute.choice_count - 1) : attribute.bits;
}

}  // namespace

std::vector<wave_signal> wave_signals(const fabric::record_type& type) {
  std::vector<wave_signal> signals{{type.open_bits == 1 ? "active" : "open", type.open_bits, wave_signal::source::open},
                                   {"count", 64, wave_signal::source::count}};
  for (std::size_t a = 0; a < type.attribute_count(); ++a) {
    const fabric::record_attribute& attribute = type.attributes[a];
    if (!is_in_waves(attribute)) continue;
    signals.push_back(
        {attribute.name, bits_of(attribute), wave_signal::source::attribute, a, attribute.kind == fabric::attribute_kind::text});
  }
  return signals;
}

std::string choice_text(const fabric::record_attribute& attribute) {
  std::string text;
  for (std::size_t c = 0; c < attribute.choice_count; ++c) text += fmt::format("{}{} {}", c == 0 ? "" : ", ", c, attribute.choices[c]);
  return text;
}

}  // namespace tc::observe
