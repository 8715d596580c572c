// SPDX-License-Identifier: Apache-2.0
#include "listed_data.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <optional>
#include <system_error>

#include <fmt/format.h>

#include <tc/trace/limits.hpp>

namespace tc::listings {
namespace {

constexpr std::size_t offset_digits = 8;

/// A directive of data, and the bytes of each of its values.
struct data_directive {
  std::string_view name;
  unsigned bytes;
};

constexpr data_directive data_directives[] = {{".byte", 1},  {".short", 2}, {".half", 2}, {".2byte", 2}, {".word", 4},
                                              {".4byte", 4}, {".dword", 8}, {".quad", 8}, {".8byte", 8}};

/// A number, as C writes it; nothing for a symbol.
std::optional<std::uint64_t> value_of(std::string_view text) {
  const bool hexadecimal = text.substr(0, 2) == "0x";
  if (hexadecimal) text.remove_prefix(2);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, hexadecimal ? 16 : 10);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

void listed_data::read(trace::text_cursor& in) {
  if (in.accept("/*")) {
    const std::uint64_t offset = in.hex_digits("the offset", offset_digits);
    in.expect("*/", "'/*offset*/ .byte 0x00, ...'");
    if (offset > end_) add_zeros(offset - end_);  // what an alignment skips
  }
  const std::string_view word = in.word();
  if (!word.empty() && word.back() == ':') labels_.push_back({std::string(word.substr(0, word.size() - 1)), end_});
  if (word == ".zero") {
    add_zeros(in.number("the number of bytes", 0, trace::shared_window_bytes));
    return in.expect_end("'.zero BYTES'");
  }
  const auto* const found =
      std::find_if(std::begin(data_directives), std::end(data_directives), [&](const data_directive& each) { return each.name == word; });
  if (found != std::end(data_directives)) add_values(in, found->bytes);
}

void listed_data::add_values(trace::text_cursor& in, unsigned bytes_each) {
  do {
    in.at_end();
    const std::size_t begin = in.position();
    const std::size_t comma = std::min(in.line().text.find(',', begin), in.end());
    std::string_view text = in.line().text.substr(begin, comma - begin);
    while (!text.empty() && trace::is_blank(text.back())) text.remove_suffix(1);
    in.skip_to(comma);
    const auto value = value_of(text);
    if (value && bytes_each < sizeof *value && *value >> 8 * bytes_each != 0)
      in.fail_at(begin, fmt::format("{} does not fit into {} bytes", text, bytes_each));
    if (value) {
      add(*value, bytes_each);
    } else {
      symbols_.push_back({end_, bytes_each, std::string(text)});
      end_ += bytes_each;
    }
  } while (in.accept(","));
}

std::vector<std::uint8_t>& listed_data::run_at_end() {
  if (known_.empty() || known_.back().offset + known_.back().bytes.size() != end_) known_.push_back({end_, {}});
  return known_.back().bytes;
}

void listed_data::add(std::uint64_t value, unsigned bytes) {
  std::vector<std::uint8_t>& run = run_at_end();
  for (unsigned i = 0; i < bytes; ++i) run.push_back(static_cast<std::uint8_t>(value >> 8 * i));
  end_ += bytes;
}

/// Beyond the size of a constant bank they are only counted: such a section is shared memory.
void listed_data::add_zeros(std::uint64_t count) {
  if (count != 0 && end_ + count <= trace::constant_bank_bytes) {
    std::vector<std::uint8_t>& run = run_at_end();
    run.resize(run.size() + static_cast<std::size_t>(count));
  }
  end_ += count;
}

}  // namespace tc::listings
