// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include <tc/trace/step.hpp>
#include <tc/trace/text_cursor.hpp>

namespace tc::packed {

/// How a line writes what differs from one execution of an instruction to the next. With it, the line follows from the instruction's text
/// and the step.
struct line_style {
  enum class address_form : std::uint8_t { none, one, strided, listed };

  std::uint8_t pc_digits = 0;  ///< at least so many; 0 if there is no pc
  bool has_mask = false;
  address_form addresses = address_form::none;
  std::int64_t stride = 0;  ///< of a strided address of a single lane, which does not follow from the step

  bool operator<(const line_style& other) const { return key() < other.key(); }

 private:
  std::tuple<std::uint8_t, bool, address_form, std::int64_t> key() const { return {pc_digits, has_mask, addresses, stride}; }
};

/// The style of an instruction line that has been found correct, if write_line() gives back each of its characters; otherwise nothing.
std::optional<line_style> style_of(const trace::source_line& line, const trace::step& s, std::string_view code);

/// Appends the line of a step of the instruction `code`, without a line feed.
void write_line(const line_style& style, const trace::step& s, std::string_view code, std::string& line);

}  // namespace tc::packed
