// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include <tc/isa/matrix_shapes.hpp>
#include <tc/trace/header_parser.hpp>
#include <tc/trace/kernel_header.hpp>
#include <tc/trace/line_reader.hpp>
#include <tc/trace/text_cursor.hpp>

namespace tc::trace {

/// Reads the first line of a trace, `tcsim-trace 1`. Throws trace_error if it is another.
void read_magic(line_reader& lines);

/// Reads a header that stands alone: the lines of a trace before its first `cta`. Image files are looked up relative to `folder`, digits
/// that are not there in `kept`; `name` stands for the file in messages. It may declare matrix instructions besides those of
/// `shapes`. Throws trace_error.
kernel_header parse_header(std::string_view text, const std::string& name, const std::filesystem::path& folder, kept_digits kept,
                           const size_limits& limits = {}, const isa::matrix_shape_table& shapes = isa::matrix_shape_table::hardware());

/// Where in a line of a header what follows the word `kind` of its content begins, as the path behind `file`; nothing if the line has no
/// such content.
std::optional<std::size_t> find_content(const source_line& line, std::string_view kind);

/// A line of a header as it must be for a trace in the folder `to`, if it is right for one in the folder `from`: the path of an image file
/// is relative to the trace. The bytes of an image that would lie outside of that folder stand in the line themselves, as `hex`; throws
/// trace_error if they are too many for a line, or cannot be read.
std::string relocated(const source_line& line, const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace tc::trace
