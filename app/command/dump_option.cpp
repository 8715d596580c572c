// SPDX-License-Identifier: Apache-2.0
#include "dump_option.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "exit_status.hpp"

namespace tcsim {

namespace {

using tc::device::state_place;
using tc::device::state_space;

constexpr const char* grammar = "expected SPACE:BASE:BYTES:FILE[@CYCLE], as in cta0.warp1.registers:0:1024:registers.bin@500";

/// Throws usage_error about one option.
class dump_parser {
 public:
  explicit dump_parser(const std::string& text) : text_(text) {}

  dump_option parse() const;

 private:
  [[noreturn]] void refuse(const std::string& why) const { throw usage_error(fmt::format("--dump {}: {}", text_, why)); }
  std::vector<std::string_view> fields() const;
  std::uint64_t number(std::string_view digits, const char* what) const;
  state_place place(std::string_view words) const;
  state_space space(std::string_view word) const;
  void add_unit(state_place& place, std::string_view word) const;
  void check_units(const state_place& place) const;
  void take_cycle(dump_option& option) const;

  const std::string& text_;
};

std::vector<std::string_view> dump_parser::fields() const {
  std::vector<std::string_view> fields;
  std::string_view rest = text_;
  while (fields.size() < 3) {
    const auto colon = rest.find(':');
    if (colon == std::string_view::npos) refuse(grammar);
    fields.push_back(rest.substr(0, colon));
    rest.remove_prefix(colon + 1);
  }
  fields.push_back(rest);
  return fields;
}

std::uint64_t dump_parser::number(std::string_view digits, const char* what) const {
  const bool is_hexadecimal = digits.substr(0, 2) == "0x" || digits.substr(0, 2) == "0X";
  const std::string_view value = digits.substr(is_hexadecimal ? 2 : 0);
  std::uint64_t result = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), result, is_hexadecimal ? 16 : 10);
  if (error == std::errc::result_out_of_range) refuse(fmt::format("{} {} does not fit into 64 bits", what, digits));
  if (error != std::errc() || end != value.data() + value.size())
    refuse(fmt::format("{} \"{}\" is no number, as 4096 or 0x1000", what, digits));
  return result;
}

state_space dump_parser::space(std::string_view word) const {
  if (word == "global") return state_space::global;
  if (word == "shared") return state_space::shared;
  if (word == "tensor") return state_space::tensor;
  if (word == "registers") return state_space::registers;
  refuse(fmt::format("no memory is called \"{}\": there are global, shared, tensor and registers", word));
}

/// "sm0", "subcore1", "warp3" or "cta5".
void dump_parser::add_unit(state_place& place, std::string_view word) const {
  const auto is_digit = [](char character) { return character >= '0' && character <= '9'; };
  const auto digits = static_cast<std::size_t>(std::find_if(word.begin(), word.end(), is_digit) - word.begin());
  const std::string_view name = word.substr(0, digits);
  std::optional<unsigned>* unit = nullptr;
  if (name == "sm") unit = &place.sm;
  if (name == "subcore") unit = &place.sub_core;
  if (name == "warp") unit = &place.warp;
  if (name == "cta") unit = &place.cta;
  if (unit == nullptr) refuse(fmt::format("\"{}\" is no place: there are sm0, subcore0, warp0 and cta0, with their numbers", word));
  const std::uint64_t value = number(word.substr(digits), "the number of a place");
  if (value > 0xffffffff) refuse(fmt::format("there is no {}", word));
  if (*unit) refuse(fmt::format("{} is there twice", name));
  *unit = static_cast<unsigned>(value);
}

void dump_parser::check_units(const state_place& place) const {
  const bool has_place = place.sm || place.sub_core || place.warp || place.cta;
  if (place.space == state_space::global && has_place) refuse("all of the machine have one global memory: write global alone");
  if (place.cta && (place.sm || place.sub_core)) refuse("a CTA is in the SM that has taken it: leave out the SM, or the CTA");
  if (place.space != state_space::registers && (place.sub_core || place.warp))
    refuse("that is a memory of an SM, as in sm0.shared, or of a CTA, as in cta0.shared");
}

/// As scopes of waves, places may have the spelling of the object tree.
state_place dump_parser::place(std::string_view words) const {
  std::string spelling(words);
  spelling.erase(std::remove(spelling.begin(), spelling.end(), '_'), spelling.end());
  std::string_view rest = spelling;
  if (rest.substr(0, 4) == "gpu.") rest.remove_prefix(4);
  state_place place;
  for (auto dot = rest.find('.'); dot != std::string_view::npos; dot = rest.find('.')) {
    add_unit(place, rest.substr(0, dot));
    rest.remove_prefix(dot + 1);
  }
  place.space = space(rest);
  check_units(place);
  return place;
}

/// A file that has an @ in its name needs a cycle behind it.
void dump_parser::take_cycle(dump_option& option) const {
  const auto at = option.file.rfind('@');
  if (at == std::string::npos) return;
  option.cycle = number(std::string_view(option.file).substr(at + 1), "the cycle");
  if (*option.cycle == 0) refuse("before cycle 0 there is only what the trace begins with: the first cycle to look at is 1");
  option.file.resize(at);
}

dump_option dump_parser::parse() const {
  const std::vector<std::string_view> parts = fields();
  dump_option option;
  option.text = text_;
  option.range.place = place(parts[0]);
  option.range.base = number(parts[1], "the base");
  option.range.bytes = number(parts[2], "the number of bytes");
  if (option.range.bytes == 0) refuse("no bytes");
  if (option.range.bytes - 1 > ~option.range.base) refuse("no memory has addresses of more than 64 bits");
  if (option.range.bytes > dump_option::max_bytes) refuse(fmt::format("up to {} bytes are possible", dump_option::max_bytes));
  option.file = parts[3];
  take_cycle(option);
  if (option.file.empty()) refuse(fmt::format("no file: {}", grammar));
  return option;
}

}  // namespace

dump_option dump_option::parse(const std::string& text) { return dump_parser(text).parse(); }

}  // namespace tcsim
