// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <tc/packed/packed_file.hpp>
#include <tc/packed/packed_format.hpp>
#include <tc/trace/limits.hpp>
#include <tc/trace/step.hpp>
#include <tc/trace/text_cursor.hpp>
#include <tc/trace/trace_contents.hpp>

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

/// What the numbers in the packed steps of a packed trace stand for: a distinct instruction, and how its line is written. Nothing: the line
/// is kept as text.
struct packed_form {
  std::uint32_t code_index = 0;
  std::optional<line_style> style;

  bool operator<(const packed_form& other) const;
};

/// A line of the header whose hexadecimal digits are kept as bytes.
struct packed_image {
  std::uint64_t line = 0;
  std::uint64_t offset = 0, bytes = 0;  ///< in the stream of images
};

/// What a packed trace says of the text as a whole.
struct packed_kernel {
  std::string header;                ///< the lines before the first `cta`, without the digits of images
  std::vector<packed_image> images;  ///< by line
  unsigned registers = 0;            ///< of a thread, with those that expanded instructions of PTX need
  std::uint64_t instructions = 0;    ///< steps of all warps
  bool terminated = true;            ///< whether the last line has a line feed
};

/// Stored bytes of each block of the two streams.
struct packed_block_sizes {
  std::vector<std::uint64_t> images, steps;
};

// Each part is the content of a block; readers throw trace_error.

void write_kernel(const packed_kernel& kernel, byte_writer& out);
packed_kernel read_kernel(packed_file& file, const trace::size_limits& limits);

void write_code(const trace::code_table& code, const std::vector<packed_form>& forms, byte_writer& out);
/// Reads and decodes the distinct instructions of the kernel in contents.header. Returns the forms that refer to them.
std::vector<packed_form> read_code(packed_file& file, trace::trace_contents& contents, const trace::size_limits& limits);

void write_warps(const trace::trace_contents& contents, const std::vector<std::uint64_t>& extents, byte_writer& out);
void read_warps(packed_file& file, trace::trace_contents& contents, const trace::size_limits& limits);

void write_block_sizes(const packed_block_sizes& sizes, byte_writer& out);
packed_block_sizes read_block_sizes(packed_file& file);

}  // namespace tc::packed
