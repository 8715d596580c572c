// SPDX-License-Identifier: Apache-2.0
#include "vector_header.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>
#include <map>
#include <sstream>
#include <stdexcept>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace tc::study {
namespace {

constexpr std::string_view fragment_form = "name a_regs b_regs c_regs d_regs cases device";
constexpr std::string_view dot_form = "dot arch name k= scales= a= b= c= d= s= cases=";

[[noreturn]] void fail(const std::string& message) { throw std::invalid_argument("header: " + message); }

std::vector<std::string> words_of(std::string_view line) {
  std::istringstream in{std::string(line)};
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

template <typename Number>
Number number_of(std::string_view field, std::string_view text) {
  Number number = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || stop != text.data() + text.size()) fail(fmt::format("{} is \"{}\", which is no number", field, text));
  return number;
}

void check_registers(const vector_operation& operation, const register_counts& found, std::string_view name) {
  const register_counts expected = registers_of(operation);
  struct field {
    std::string_view name;
    unsigned found, expected;
  };
  for (const field& each : {field{"a_regs", found.a, expected.a}, field{"b_regs", found.b, expected.b},
                            field{"c_regs", found.c, expected.c}, field{"d_regs", found.d, expected.d}}) {
    if (each.found != each.expected) fail(fmt::format("{} is {}, but {} has {}", each.name, each.found, name, each.expected));
  }
}

vector_header parse_fragment_header(const std::vector<std::string>& words) {
  if (words.size() < 7) fail(fmt::format(R"(expected "{}" or "{}", found {} words)", fragment_form, dot_form, words.size()));
  vector_header header;
  header.kind = vector_kind::fragments;
  header.name = words[0];
  header.operation = parse_fragment_operation(header.name);
  const register_counts found{number_of<unsigned>("a_regs", words[1]), number_of<unsigned>("b_regs", words[2]),
                              number_of<unsigned>("c_regs", words[3]), number_of<unsigned>("d_regs", words[4])};
  check_registers(header.operation, found, header.name);
  header.cases = number_of<std::uint64_t>("cases", words[5]);
  header.origin = fmt::format("{}", fmt::join(words.begin() + 6, words.end(), " "));
  return header;
}

/// The fields `key=value` of a dot file's header.
class keyed_fields {
 public:
  explicit keyed_fields(const std::vector<std::string>& words) {
    for (const std::string& word : words) {
      const auto equals = word.find('=');
      const std::string key = word.substr(0, equals);
      if (equals == std::string::npos || std::find(known.begin(), known.end(), key) == known.end())
        fail(fmt::format("\"{}\" is no field; there are {}=", word, fmt::join(known, "=, ")));
      if (!values_.emplace(key, word.substr(equals + 1)).second) fail(fmt::format("{}= is there twice", key));
    }
  }

  const std::string& operator[](std::string_view key) const {
    const auto found = values_.find(key);
    if (found == values_.end()) fail(fmt::format("{}= is missing; expected \"{}\"", key, dot_form));
    return found->second;
  }

 private:
  static constexpr std::array<std::string_view, 8> known{"k", "scales", "a", "b", "c", "d", "s", "cases"};
  std::map<std::string, std::string, std::less<>> values_;
};

vector_header parse_dot_header(const std::vector<std::string>& words) {
  if (words.size() < 3) fail(fmt::format("expected \"{}\", found {} words", dot_form, words.size()));
  const keyed_fields fields({words.begin() + 3, words.end()});
  vector_header header;
  header.kind = vector_kind::dots;
  header.origin = words[1];
  header.name = words[2];
  dot_types types;
  types.a = fields["a"];
  types.b = fields["b"];
  types.c = fields["c"];
  types.d = fields["d"];
  types.scale = fields["s"];
  types.k = number_of<unsigned>("k=", fields["k"]);
  types.scales = number_of<unsigned>("scales=", fields["scales"]);
  header.operation = parse_dot_operation(header.name, types);
  header.cases = number_of<std::uint64_t>("cases=", fields["cases"]);
  return header;
}

}  // namespace

register_counts registers_of(const vector_operation& operation) {
  const isa::mma_operation& mma = operation.fragments;
  if (operation.family == instruction_family::mma_sync) return {mma.a_registers(), mma.b_registers(), mma.c_registers(), mma.d_registers()};
  const unsigned column_blocks = operation.n / mma.n, words_per_column = 32 / 4;
  return {mma.a_registers(), operation.n * words_per_column, column_blocks * mma.c_registers(), column_blocks * mma.d_registers()};
}

vector_header make_header(vector_kind kind, std::string_view name, std::string origin, std::uint64_t cases) {
  vector_header header;
  header.kind = kind;
  header.name = name;
  header.origin = std::move(origin);
  header.cases = cases;
  header.operation = kind == vector_kind::fragments ? parse_fragment_operation(name) : parse_dot_operation(name);
  return header;
}

vector_header parse_header(std::string_view line) {
  const std::vector<std::string> words = words_of(line);
  try {
    return !words.empty() && words[0] == "dot" ? parse_dot_header(words) : parse_fragment_header(words);
  } catch (const std::invalid_argument& error) {
    const std::string_view message = error.what();
    if (message.substr(0, 7) == "header:") throw;
    fail(std::string(message));
  }
}

std::string text_of(const vector_header& header) {
  const vector_operation& operation = header.operation;
  if (header.kind == vector_kind::fragments) {
    const register_counts registers = registers_of(operation);
    return fmt::format("{} {} {} {} {} {} {}", header.name, registers.a, registers.b, registers.c, registers.d, header.cases,
                       header.origin);
  }
  const auto& types = operation.types;
  return fmt::format("dot {} {} k={} scales={} a={} b={} c={} d={} s={} cases={}", header.origin, header.name, operation.k, header.scales(),
                     types.a.name, types.b.name, operation.c.name, types.accumulator.name, types.scaling ? types.scaling->format.name : "-",
                     header.cases);
}

}  // namespace tc::study
