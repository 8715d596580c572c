// SPDX-License-Identifier: Apache-2.0
#include "header_text.hpp"

#include <fstream>
#include <iterator>
#include <sstream>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <tc/trace/confined_path.hpp>
#include <tc/trace/file_kind.hpp>
#include <tc/trace/trace_error.hpp>

namespace tc::trace {
namespace {

constexpr std::string_view magic = "tcsim-trace";
constexpr std::uint64_t version = 1;

/// Words of a header line before the content that may be `file PATH`; 0 if it has none.
unsigned words_before_content(std::string_view keyword) {
  if (keyword == "constant") return 3;
  return keyword == "memory" || keyword == "shared-memory" || keyword == "expect" ? 2 : 0;
}

}  // namespace

void read_magic(line_reader& lines) {
  std::string_view text;
  const file_kind kind = kind_of(lines.beginning());
  const std::string_view advice = kind == file_kind::trace ? std::string_view() : advice_on(kind);
  const auto refuse = [&] {
    const std::string other = advice.empty() || text.empty() ? "" : fmt::format("; {}", advice);
    throw trace_error(lines.name(), 1, 1, fmt::format("not a trace: the first line must be '{} {}'{}", magic, version, other));
  };
  if (!lines.next(text))
    throw trace_error(lines.name(), 1, 1, fmt::format("the file is empty; it must begin with '{} {}'", magic, version));
  text_cursor in({lines.name(), lines.line(), text.substr(0, 80)});
  if (in.word() != magic) refuse();
  in.at_end();
  const std::size_t position = in.position();
  if (in.number("the version of the format", 0, ~std::uint64_t{0}) != version)
    in.fail_at(position, fmt::format("unsupported version of the format; it must be {}", version));
  in.expect_end(fmt::format("'{} {}'", magic, version));
}

kernel_header parse_header(std::string_view text, const std::string& name, const std::filesystem::path& folder, kept_digits kept,
                           const size_limits& limits, const isa::matrix_shape_table& shapes) {
  std::istringstream stream{std::string(text)};
  line_reader lines(stream, name);
  read_magic(lines);
  header_parser parser(folder, std::move(kept), limits, shapes);
  for (std::string_view line; lines.next(line);) {
    text_cursor in({name, lines.line(), line});
    if (in.at_end() || in.peek() == '#') continue;
    text_cursor ahead = in;
    if (!header_parser::knows(ahead.word())) in.fail("not a line of a header");
    parser.read(in);
  }
  return parser.finish(text_cursor({name, lines.line(), {}}));
}

std::optional<std::size_t> find_content(const source_line& line, std::string_view kind) {
  text_cursor in(line);
  unsigned words = words_before_content(in.word());
  if (words == 0) return std::nullopt;
  for (; words != 0; --words) in.word();
  if (in.word() != kind || in.at_end()) return std::nullopt;
  return in.position();
}

namespace {

/// The line with the digits of a file's bytes in the place of `file` and its name, which begins at `begin`.
std::string with_digits_of(const std::filesystem::path& file, const source_line& line, std::size_t begin) {
  constexpr std::string_view keyword = "file";
  const std::size_t word = line.text.rfind(keyword, begin - 1);
  std::ifstream bytes(file, std::ios::binary);
  std::string text(line.text.substr(0, word));
  text += "hex ";
  for (char byte = 0; bytes.get(byte) && text.size() < line_reader::max_line_bytes;)
    fmt::format_to(std::back_inserter(text), "{:02x}", static_cast<unsigned char>(byte));
  if (!bytes.eof())
    text_cursor(line).fail_at(begin,
                              fmt::format("the image file {} is not in the folder of the trace that is to be written, and is too large, "
                                          "or cannot be read, to be put into its text: write the trace beside it",
                                          file.string()));
  return text;
}

}  // namespace

std::string relocated(const source_line& line, const std::filesystem::path& from, const std::filesystem::path& to) {
  const auto begin = find_content(line, "file");
  text_cursor in(line);
  if (!begin) return std::string(line.text);
  in.skip_to(*begin);
  const std::filesystem::path path = in.rest();
  const auto folder = [](const std::filesystem::path& each) { return std::filesystem::absolute(each / ".").lexically_normal(); };
  if (folder(from) == folder(to)) return std::string(line.text);
  const auto target = (folder(from) / path).lexically_normal().lexically_proximate(folder(to));
  if (leaves_folder(target)) return with_digits_of(from / path, line, *begin);
  return std::string(line.text.substr(0, *begin)) + target.string() + std::string(line.text.substr(in.end()));
}

}  // namespace tc::trace
