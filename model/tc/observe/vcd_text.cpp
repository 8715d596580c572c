// SPDX-License-Identifier: Apache-2.0
#include "vcd_text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <memory>
#include <set>

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

namespace {

/// A scope with its own signals and the scopes in it, in the order in which they appear.
struct scope {
  std::string name;
  std::string signals;
  std::vector<std::unique_ptr<scope>> inner;

  scope& in(std::string_view inner_name) {
    for (const auto& known : inner)
      if (known->name == inner_name) return *known;
    return *inner.emplace_back(std::make_unique<scope>(scope{std::string(inner_name), {}, {}}));
  }

  void write(std::string& header) const {
    header += signals;
    for (const auto& each : inner) {
      header += fmt::format("$scope module {} $end\n", each->name);
      each->write(header);
      header += "$upscope $end\n";
    }
  }
};

std::string legal(std::string_view name) {
  std::string text(name);
  std::replace_if(
      text.begin(), text.end(), [](unsigned char c) { return std::isalnum(c) == 0 && c != '_'; }, '_');
  return text;
}

scope& at(scope& top, const fabric::record_stream& stream) {
  scope* here = &top;
  std::string_view path = stream.path();
  while (!path.empty()) {
    const std::size_t dot = std::min(path.find('.'), path.size());
    here = &here->in(legal(path.substr(0, dot)));
    path.remove_prefix(std::min(dot + 1, path.size()));
  }
  return here->in(legal(stream.type().name));
}

std::string declaration(std::string_view name, unsigned bits, std::size_t number) {
  const std::string range = bits == 1 ? "" : fmt::format(" [{}:0]", bits - 1);
  return fmt::format("$var wire {} {} {}{} $end\n", bits, vcd_identifier(number), name, range);
}

/// How an attribute is to be shown, where that is not as a decimal number: "address", "text", "0 wait, 1 barrier".
std::string reading_of(const fabric::record_attribute& attribute) {
  switch (attribute.kind) {
    case fabric::attribute_kind::address:
      return "address";
    case fabric::attribute_kind::text:
      return "text";
    case fabric::attribute_kind::choice:
      return choice_text(attribute);
    default:
      return {};
  }
}

std::string comments(const std::vector<const fabric::record_stream*>& streams) {
  std::set<std::string_view> seen;
  std::string text;
  for (const fabric::record_stream* stream : streams) {
    const fabric::record_type& type = stream->type();
    if (!seen.insert(type.name).second) continue;
    for (const wave_signal& signal : wave_signals(type)) {
      if (signal.what != wave_signal::source::attribute) continue;
      const std::string reading = reading_of(type.attributes[signal.attribute]);
      if (!reading.empty()) text += fmt::format("$comment {}.{}: {} $end\n", type.name, signal.name, reading);
    }
  }
  return text;
}

}  // namespace

std::string vcd_identifier(std::size_t number) {
  constexpr std::size_t characters = '~' - '!' + 1;
  std::string code;
  for (++number; number > 0; number = (number - 1) / characters) code += static_cast<char>('!' + (number - 1) % characters);
  return code;
}

vcd_timescale timescale_of(const sc_core::sc_time& period) {
  constexpr double femtoseconds = 1e15;
  const auto resolution = static_cast<std::uint64_t>(std::round(sc_core::sc_get_time_resolution().to_seconds() * femtoseconds));
  const std::uint64_t length = period.value() * resolution;
  constexpr std::uint64_t picosecond = 1000, nanosecond = 1000 * picosecond;
  if (length % nanosecond == 0) return {"ns", length / nanosecond};
  if (length % picosecond == 0) return {"ps", length / picosecond};
  return {"fs", length};
}

std::string vcd_header(const std::vector<const fabric::record_stream*>& streams, const vcd_timescale& timescale, std::string_view version) {
  std::string header = fmt::format("$version tcsim {0} $end\n$timescale 1 {1} $end\n$comment one cycle is {2} {1} $end\n", version,
                                   timescale.unit, timescale.of_cycle);
  header += comments(streams);
  scope top;
  std::size_t number = 0;
  top.signals = declaration("cycle", 64, number++);
  for (const fabric::record_stream* stream : streams) {
    scope& place = at(top, *stream);
    for (const wave_signal& signal : wave_signals(stream->type())) place.signals += declaration(legal(signal.name), signal.bits, number++);
  }
  top.write(header);
  return header + "$enddefinitions $end\n";
}

namespace {

using byte_digits = std::array<char, 8>;

constexpr std::array<byte_digits, 256> all_digits() {
  std::array<byte_digits, 256> table{};
  for (std::size_t byte = 0; byte < 256; ++byte)
    for (std::size_t bit = 0; bit < 8; ++bit) table[byte][bit] = (byte >> (7 - bit)) & 1U ? '1' : '0';
  return table;
}

constexpr std::array<byte_digits, 256> digits = all_digits();

/// At least one.
unsigned significant_bits(std::uint64_t value) { return 64U - static_cast<unsigned>(__builtin_clzll(value | 1U)); }

}  // namespace

void vcd_values::time(std::uint64_t units) {
  std::array<char, 20> decimal{};
  const auto end = std::to_chars(decimal.data(), decimal.data() + decimal.size(), units);
  ((text_ += '#') += std::string_view(decimal.data(), static_cast<std::size_t>(end.ptr - decimal.data()))) += '\n';
}

void vcd_values::number(std::uint64_t value, unsigned bits, std::string_view identifier) {
  if (bits == 1) {
    ((text_ += (value & 1U) != 0 ? '1' : '0') += identifier) += '\n';
    return;
  }
  if (bits < 64) value &= (std::uint64_t{1} << bits) - 1;
  std::array<char, 64> binary{};
  const unsigned significant = significant_bits(value);
  for (unsigned b = 0; 8 * b < significant; ++b) {
    const byte_digits& each = digits[(value >> (8 * b)) & 0xffU];
    std::copy(each.begin(), each.end(), binary.end() - 8 * (b + 1));
  }
  (text_ += 'b').append(binary.end() - significant, binary.end());
  end_vector(identifier);
}

void vcd_values::text(std::string_view value, unsigned bits, std::string_view identifier) {
  text_ += 'b';
  bool is_first = true;
  for (const char c : value.substr(0, bits / 8)) {
    const byte_digits& each = digits[static_cast<unsigned char>(c)];
    const unsigned digits_left_out = is_first ? 8 - significant_bits(static_cast<unsigned char>(c)) : 0;
    text_.append(each.data() + digits_left_out, each.size() - digits_left_out);
    is_first = false;
  }
  if (is_first) text_ += '0';
  end_vector(identifier);
}

void vcd_values::undriven(unsigned bits, std::string_view identifier) {
  if (bits == 1) {
    ((text_ += 'z') += identifier) += '\n';
    return;
  }
  text_ += "bz";
  end_vector(identifier);
}

}  // namespace tc::observe
