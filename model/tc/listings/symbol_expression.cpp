// SPDX-License-Identifier: Apache-2.0
#include "symbol_expression.hpp"

#include <algorithm>
#include <cstddef>

#include <tc/isa/number_text.hpp>

namespace tc::listings {
namespace {

bool begins_number(char first) { return first >= '0' && first <= '9'; }

}  // namespace

std::vector<std::string_view> symbols_in_data(std::string_view expression) {
  constexpr std::string_view separators = " ()+`,-";
  std::vector<std::string_view> symbols;
  while (true) {
    const std::size_t begin = expression.find_first_not_of(separators);
    if (begin == std::string_view::npos) return symbols;
    expression.remove_prefix(begin);
    const std::size_t end = std::min(expression.find_first_of(separators), expression.size());
    const std::string_view word = expression.substr(0, end), name = word.substr(0, word.find('@'));
    if (!name.empty() && !begins_number(name.front())) symbols.push_back(name);
    expression.remove_prefix(end);
  }
}

std::vector<std::string_view> symbols_in_code(std::string_view text) {
  for (const std::string_view begin : {"`(", "@lo(", "@hi("})
    if (const std::size_t at = text.find(begin); at != std::string_view::npos)
      return symbols_in_data(text.substr(at + begin.size(), text.rfind(')') - at - begin.size()));
  return {};
}

std::optional<std::uint64_t> value_of_sum(std::string_view expression, const symbol_source& symbols) {
  std::uint64_t sum = 0;
  bool is_first = true;
  while (!expression.empty()) {
    const std::size_t plus = std::min(expression.find('+'), expression.size());
    std::string_view part = expression.substr(0, plus);
    expression.remove_prefix(std::min(plus + 1, expression.size()));
    const std::size_t first = part.find_first_not_of(" ("), last = part.find_last_not_of(" )");
    if (first == std::string_view::npos || last < first) return std::nullopt;
    part = part.substr(first, last - first + 1);
    const bool is_relative = !is_first || part.find("@srel") != std::string_view::npos;
    const auto value = begins_number(part.front()) ? isa::parse_unsigned_64(part) : symbols(part.substr(0, part.find('@')), is_relative);
    if (!value) return std::nullopt;
    sum += *value;
    is_first = false;
  }
  return is_first ? std::nullopt : std::optional<std::uint64_t>(sum);
}

}  // namespace tc::listings
