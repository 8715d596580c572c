// SPDX-License-Identifier: Apache-2.0
#include "tcgen05_qualifiers.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

namespace tc::isa {
namespace {

using sort = tcgen05_qualifier;

struct sort_row {
  std::string description;  ///< for messages
  std::vector<std::string> choices;
};

const std::vector<std::string>& collector_uses() {
  static const std::vector<std::string> uses{"fill", "use", "lastuse", "discard"};
  return uses;
}

/// "prefix::" before each of `values`.
std::vector<std::string> prefixed(const std::string& prefix, const std::vector<std::string>& values) {
  std::vector<std::string> all;
  all.reserve(values.size());
  for (const std::string& value : values) all.push_back(prefix + "::" + value);
  return all;
}

std::vector<std::string> collectors_of_b() {
  std::vector<std::string> all;
  for (const char* const buffer : {"b0", "b1", "b2", "b3"}) {
    const std::vector<std::string> uses = prefixed(std::string("collector::") + buffer, collector_uses());
    all.insert(all.end(), uses.begin(), uses.end());
  }
  return all;
}

/// A sort whose qualifiers are named one by one: ".a, .b or .c".
sort_row listed(const std::vector<std::string>& choices) {
  std::string text;
  for (std::size_t i = 0; i < choices.size(); ++i) text += (i == 0 ? "." : i + 1 == choices.size() ? " or ." : ", .") + choices[i];
  return {text, choices};
}

/// The rows in the order of the enumeration (PTX ISA, the syntax of each instruction).
const std::vector<sort_row>& sort_rows() {
  static const std::vector<sort_row> all{
      listed({"sync"}),
      listed({"aligned"}),
      listed({"cta_group::1", "cta_group::2"}),
      listed({"b32"}),
      listed({"b64"}),
      listed({"shared::cta"}),
      listed({"shared::cluster"}),
      listed({"mbarrier::arrive::one"}),
      listed({"multicast::cluster"}),
      listed({"down"}),
      listed({"32x32b", "16x64b", "16x128b", "16x256b", "16x32bx2"}),
      listed({"x1", "x2", "x4", "x8", "x16", "x32", "x64", "x128"}),
      listed({"pack::16b"}),
      listed({"unpack::16b"}),
      listed({"128x256b", "4x256b", "128x128b", "64x128b", "32x128b"}),
      listed({"warpx2::02_13", "warpx2::01_23", "warpx4"}),
      listed({"b8x16"}),
      listed({"b4x16_p64", "b6x16_p32"}),
      listed({"sp"}),
      {".kind::f16, ::tf32, ::f8f6f4, ::i8, ::mxf8f6f4, ::mxf4 or ::mxf4nvf4",
       prefixed("kind", {"f16", "tf32", "f8f6f4", "i8", "mxf8f6f4", "mxf4", "mxf4nvf4"})},
      listed({"block_scale"}),
      listed({"scale_vec::1X", "scale_vec::2X", "scale_vec::4X", "block16", "block32"}),
      listed({"ashift"}),
      {".collector::a::fill, ::use, ::lastuse or ::discard", prefixed("collector::a", collector_uses())},
      {".collector::b0 to ::b3 with ::fill, ::use, ::lastuse or ::discard", collectors_of_b()},
  };
  return all;
}

const sort_row& sort_row_of(sort each) { return sort_rows().at(static_cast<std::size_t>(each)); }

bool is_choice(const sort_row& row, std::string_view text) {
  return std::find(row.choices.begin(), row.choices.end(), text) != row.choices.end();
}

/// Whether the text before the first "::" is that of the sort.
bool begins_alike(const sort_row& row, std::string_view text) {
  const std::size_t end = text.find("::");
  return end != std::string_view::npos && row.choices.front().compare(0, end + 2, text, 0, end + 2) == 0;
}

[[noreturn]] void refuse(const source_text& source, std::string_view text, std::string_view name, const std::vector<sort>& taken) {
  std::string all;
  for (const sort each : taken) {
    if (begins_alike(sort_row_of(each), text))
      source.fail(text, fmt::format("expected {}, found .{}", sort_row_of(each).description, text));
    all += (all.empty() ? "" : "; ") + sort_row_of(each).description;
  }
  source.fail(text, fmt::format("{} has no qualifier .{}; it takes {}", name, text, all.empty() ? "none" : all));
}

}  // namespace

tcgen05_qualifiers::tcgen05_qualifiers(ptx_statement& statement, std::string_view name, sorts required, sorts optional) {
  std::vector<sort> taken(required);
  taken.insert(taken.end(), optional.begin(), optional.end());
  const source_text& source = statement.source;
  while (!statement.qualifiers.at_end()) {
    const std::string_view text = statement.qualifiers.next("a qualifier");
    const auto found = std::find_if(taken.begin(), taken.end(), [&](sort each) { return is_choice(sort_row_of(each), text); });
    if (found == taken.end()) refuse(source, text, name, taken);
    std::string_view& place = texts_.at(static_cast<std::size_t>(*found));
    if (!place.empty())
      source.fail(text, fmt::format("{} takes one of {}; it has .{} already", name, sort_row_of(*found).description, place));
    place = text;
  }
  for (const sort each : required)
    if (!has(each)) source.fail(statement.operands.substr(0, 0), fmt::format("{} needs {}", name, sort_row_of(each).description));
}

}  // namespace tc::isa
