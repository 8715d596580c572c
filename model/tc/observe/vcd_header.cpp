// SPDX-License-Identifier: Apache-2.0
#include "vcd_header.hpp"

#include <algorithm>
#include <cctype>
#include <memory>
#include <set>

#include <fmt/format.h>

#include <tc/observe/wave_signals.hpp>

namespace tc::observe {

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

std::string vcd_header(const std::vector<const fabric::record_stream*>& streams, std::string_view version) {
  std::string header = fmt::format("$version tcsim {} $end\n$timescale 1 ns $end\n$comment one cycle is 1 ns $end\n", version);
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

}  // namespace tc::observe
