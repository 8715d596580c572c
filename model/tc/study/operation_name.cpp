// SPDX-License-Identifier: Apache-2.0
#include "operation_name.hpp"

#include <algorithm>
#include <charconv>
#include <stdexcept>
#include <string>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace tc::study {
namespace {

/// Takes "m16n8k16" apart; false if `text` is no shape.
bool take_shape(std::string_view text, operation_name& name) {
  for (const auto& [letter, number] : {std::pair{'m', &name.m}, std::pair{'n', &name.n}, std::pair{'k', &name.k}}) {
    if (text.empty() || text.front() != letter) return false;
    const auto [stop, error] = std::from_chars(text.data() + 1, text.data() + text.size(), *number);
    if (error != std::errc{} || *number == 0) return false;
    text.remove_prefix(static_cast<std::size_t>(stop - text.data()));
  }
  return text.empty();
}

bool take_type(std::string_view text, operation_name& name) {
  const auto& known = numerics::all_number_formats();
  const auto found = std::find_if(known.begin(), known.end(), [&](const auto& format) { return format.name == text; });
  if (found != known.end()) name.types.push_back(*found);
  return found != known.end();
}

bool take_modifier(std::string_view text, operation_name& name) {
  constexpr std::string_view without_effect[] = {"mma", "sync", "aligned", "mma_async", "tcgen05", "tcgen05_bs", "popc", "row", "col"};
  if (text == "wgmma") return name.is_wgmma = true;
  if (text == "satfinite") return name.saturate = true;
  if (text == "xor") return name.exclusive_or = true;
  if (text == "and") return name.conjunction = true;
  if (text == "block16" || text == "block32") return name.block_length = text == "block16" ? 16 : 32, true;
  return std::find(std::begin(without_effect), std::end(without_effect), text) != std::end(without_effect);
}

[[noreturn]] void fail_unknown(std::string_view part) {
  std::string types;
  for (const auto& format : numerics::all_number_formats()) types += fmt::format("{}{}", types.empty() ? "" : ", ", format.name);
  throw std::invalid_argument(
      fmt::format("\"{}\" is no part of an operation's name; it has a shape such as m16n8k16, element types of {}, and wgmma, satfinite, "
                  "xor, and, popc, row, col, block16, block32",
                  part, types));
}

}  // namespace

operation_name parse_operation_name(std::string_view text) {
  operation_name name;
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view part = rest.substr(0, rest.find('.'));
    rest.remove_prefix(std::min(rest.size(), part.size() + 1));
    operation_name with_shape = name;
    if (name.m == 0 && take_shape(part, with_shape)) {
      name = with_shape;
    } else if (!take_type(part, name) && !take_modifier(part, name)) {
      fail_unknown(part);
    }
  }
  if (name.m == 0) throw std::invalid_argument(fmt::format("\"{}\" has no shape, such as m16n8k16", text));
  return name;
}

}  // namespace tc::study
