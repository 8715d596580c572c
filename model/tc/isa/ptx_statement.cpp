// SPDX-License-Identifier: Apache-2.0
#include "ptx_statement.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>

#include <fmt/format.h>

#include <tc/isa/number_text.hpp>
#include <tc/isa/register_name.hpp>

namespace tc::isa {

std::string_view qualifier_list::front() const {
  return rest_.empty() ? rest_ : rest_.substr(1, std::min(rest_.size(), rest_.find('.', 1)) - 1);
}

std::string_view qualifier_list::take(std::initializer_list<std::string_view> choices) {
  const std::string_view taken = front();
  if (std::find(choices.begin(), choices.end(), taken) == choices.end()) {
    expected_.insert(expected_.end(), choices);
    return {};
  }
  rest_.remove_prefix(taken.size() + 1);
  expected_.clear();
  return taken;
}

std::string_view qualifier_list::require(std::initializer_list<std::string_view> choices) {
  const std::string_view taken = take(choices);
  if (taken.empty()) fail();
  return taken;
}

std::string_view qualifier_list::next(std::string_view what) {
  const std::string_view taken = front();
  if (taken.empty()) source_->fail(rest_, "expected " + std::string(what) + " here");
  rest_.remove_prefix(taken.size() + 1);
  expected_.clear();
  return taken;
}

void qualifier_list::finish() {
  if (!rest_.empty()) fail();
}

void qualifier_list::fail() const {
  std::string message = "expected ";
  for (std::size_t i = 0; i < expected_.size(); ++i) {
    if (i != 0) message += i + 1 == expected_.size() ? " or " : ", ";
    message += "." + std::string(expected_[i]);
  }
  if (expected_.empty()) message += "the name to end here";
  if (!rest_.empty()) message += ", found ." + std::string(front());
  source_->fail(rest_, message);
}

namespace {

/// Length of the first operand: up to a comma outside brackets.
std::size_t ptx_operand_length(std::string_view text) {
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '[' || c == '{') ++depth;
    if (c == ']' || c == '}') --depth;
    if (depth == 0 && c == ',') return i;
  }
  return text.size();
}

constexpr std::uint64_t max_global_address = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint32_t max_shared_address = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint32_t max_tensor_address = std::numeric_limits<std::uint32_t>::max();

}  // namespace

ptx_operand_list::ptx_operand_list(std::string_view text, std::string form, const source_text& source)
    : rest_(trim(text)), taken_(rest_), at_end_(rest_.empty()), form_(std::move(form)), source_(&source) {}

char ptx_operand_list::peek() const {
  const std::string_view ahead = trim(rest_);
  return ahead.empty() ? '\0' : ahead.front();
}

std::string_view ptx_operand_list::next(std::string_view what) {
  if (at_end_) source_->fail(rest_, fmt::format("{} is missing; the form is {}", what, form_));
  const std::size_t length = ptx_operand_length(rest_);
  taken_ = trim(rest_.substr(0, length));
  at_end_ = length == rest_.size();
  rest_.remove_prefix(std::min(rest_.size(), length + 1));
  if (taken_.empty()) fail(fmt::format("{} is missing; the form is {}", what, form_));
  return taken_;
}

std::uint64_t ptx_operand_list::number(std::string_view what, std::uint64_t least, std::uint64_t most) {
  const std::string_view text = next(what);
  const auto value = parse_unsigned_64(text);
  if (!value) fail(fmt::format("{} must be a number (decimal, or hexadecimal after 0x), found '{}'", what, text));
  if (*value < least || *value > most) fail(fmt::format("{} is {}; it must be from {} to {}", what, text, least, most));
  return *value;
}

std::int64_t ptx_operand_list::signed_number(std::string_view what, std::int64_t least, std::int64_t most) {
  const std::string_view text = next(what);
  const bool negative = text.front() == '-';
  const auto magnitude = parse_unsigned_64(negative ? text.substr(1) : text);
  if (!magnitude) fail(fmt::format("{} must be a number (decimal, or hexadecimal after 0x), found '{}'", what, text));
  const bool fits = *magnitude <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  const std::int64_t value = !fits ? 0 : negative ? -static_cast<std::int64_t>(*magnitude) : static_cast<std::int64_t>(*magnitude);
  if (!fits || value < least || value > most) fail(fmt::format("{} is {}; it must be from {} to {}", what, text, least, most));
  return value;
}

ptx_operand_list ptx_operand_list::enclosed(std::string_view what, char open, char close) {
  const std::string_view text = next(what);
  if (text.front() != open || text.back() != close) {
    fail(fmt::format("{} must stand between '{}' and '{}', found '{}'; the form is {}", what, open, close, text, form_));
  }
  return {text.substr(1, text.size() - 2), form_, *source_};
}

ptx_operand_list ptx_operand_list::bracketed(std::string_view what) { return enclosed(what, '[', ']'); }

ptx_operand_list ptx_operand_list::braced(std::string_view what) { return enclosed(what, '{', '}'); }

std::uint64_t ptx_operand_list::address(std::string_view what, std::uint64_t most, unsigned alignment) {
  ptx_operand_list inside = bracketed(what);
  const std::uint64_t value = inside.number(what, 0, most);
  if (value % alignment != 0) inside.fail(fmt::format("{} is {:#x}; it must be a multiple of {}", what, value, alignment));
  inside.finish();
  return value;
}

std::uint32_t ptx_operand_list::shared_address(std::string_view what, unsigned alignment) {
  return static_cast<std::uint32_t>(address(what, max_shared_address, alignment));
}

std::uint64_t ptx_operand_list::global_address(std::string_view what, unsigned alignment) {
  return address(what, max_global_address, alignment);
}

std::uint32_t ptx_operand_list::tensor_address(std::string_view what) {
  return static_cast<std::uint32_t>(address(what, max_tensor_address, 1));
}

std::vector<std::uint8_t> ptx_operand_list::registers(std::string_view what, std::size_t count, bool constant) {
  ptx_operand_list inside = braced(what);
  std::vector<std::uint8_t> numbers;
  numbers.reserve(count);
  while (!inside.at_end()) {
    const std::string_view text = inside.next("a register");
    const register_name name = parse_register_name(text, *source_);
    if (name.file != register_file::vector || (name.index == zero_register && !constant)) {
      inside.fail(fmt::format("{} must be a list of vector registers such as R4{}, found '{}'", what, constant ? " or RZ" : "", text));
    }
    numbers.push_back(name.index);
  }
  if (numbers.size() != count) fail(fmt::format("{} must be a list of {} registers, found {}", what, count, numbers.size()));
  return numbers;
}

void ptx_operand_list::finish() const {
  if (!at_end_) source_->fail(trim(rest_), fmt::format("unexpected '{}'; the form is {}", trim(rest_), form_));
}

}  // namespace tc::isa
