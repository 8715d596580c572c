// SPDX-License-Identifier: Apache-2.0
#include "spelling.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

#include <fmt/format.h>

namespace tc::config {

namespace {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);  // distances from the part of `a` seen so far to each prefix of `b`
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

/// Letters in lower case, digits, and what is neither a letter nor separates words.
std::string bare(std::string_view name) {
  constexpr std::string_view separators = "_- ";
  std::string text;
  for (const char c : name)
    if (separators.find(c) == std::string_view::npos) text += 'A' <= c && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

/// The shortest name that holds a word, which names of one or two letters are found in by chance.
std::string shortest_holder(std::string_view word, const std::vector<std::string>& names) {
  constexpr std::size_t least_letters = 3;
  std::string best;
  if (word.size() < least_letters) return best;
  for (const auto& name : names)
    if (bare(name).find(word) != std::string::npos && (best.empty() || name.size() < best.size())) best = name;
  return best;
}

/// The name closest in edit distance, unless it is another word.
std::string closest(std::string_view word, const std::vector<std::string>& names) {
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(2, word.size() / 3) + 1;  // farther than this is another word, not a slip
  for (const auto& name : names) {
    const std::string letters = bare(name);
    const std::size_t distance = edit_distance(word, letters);
    if (distance < best_distance && distance < letters.size()) {
      best = name;
      best_distance = distance;
    }
  }
  return best;
}

}  // namespace

std::string nearest_name(std::string_view word, const std::vector<std::string>& names) {
  const std::string letters = bare(word);
  const std::string near = closest(letters, names);
  return near.empty() ? shortest_holder(letters, names) : near;
}

std::string joined(const std::vector<std::string>& names) { return fmt::format("{}", fmt::join(names, ", ")); }

std::string unknown_name_text(std::string_view what, std::string_view word, const std::vector<std::string>& names) {
  const std::string nearest = nearest_name(word, names);
  return fmt::format("unknown {} \"{}\"; {}known {}s: {}", what, word, nearest.empty() ? "" : fmt::format("did you mean \"{}\"? ", nearest),
                     what, joined(names));
}

}  // namespace tc::config
