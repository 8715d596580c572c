// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tc/isa/matrix_shapes.hpp>
#include <tc/trace/kernel_header.hpp>
#include <tc/trace/limits.hpp>
#include <tc/trace/text_cursor.hpp>

namespace tc::trace {

/// Byte ranges that must not overlap, each with the line that declared it.
class range_set {
 public:
  /// Adds [base, base + bytes). Returns 0, or the line of a range that it overlaps; it is not added then.
  std::uint64_t add(std::uint64_t base, std::uint64_t bytes, std::uint64_t line) {
    const auto after = ranges_.lower_bound(base);
    if (after != ranges_.end() && after->first < base + bytes) return after->second.line;
    if (after != ranges_.begin() && std::prev(after)->second.end > base) return std::prev(after)->second.line;
    ranges_.emplace_hint(after, base, range{base + bytes, line});
    return 0;
  }

 private:
  struct range {
    std::uint64_t end, line;
  };
  std::map<std::uint64_t, range> ranges_;  ///< by base
};

/// Content of so many bytes whose digits are missing in a line, as they are kept elsewhere; nothing if they are not.
using kept_digits = std::function<std::optional<memory_content>(std::uint64_t line, std::uint64_t bytes)>;

/// Reads the lines between the magic and the first `cta` into a kernel_header. Every failure is a trace_error at its place.
class header_parser {
 public:
  /// Image files are looked up relative to `folder`, digits that are not there in `kept`. The header declares matrix instructions besides
  /// those of `shapes`.
  explicit header_parser(std::filesystem::path folder, kept_digits kept = {}, const size_limits& limits = {},
                         const isa::matrix_shape_table& shapes = isa::matrix_shape_table::hardware())
      : folder_(std::move(folder)), kept_(std::move(kept)), limits_(limits) {
    header_.matrix_shapes = shapes;
  }

  /// Lets image files lie outside of the folder: what is read are a person's own words, and no file of somebody else.
  void allow_files_anywhere() { is_confined_ = false; }

  /// True if `word` begins a line of the header.
  static bool knows(std::string_view word);
  /// Reads one line of the header; the cursor stands at its begin.
  void read(text_cursor& line);
  /// Checks what only the whole header can tell and returns it. `where` is the first line after the header.
  kernel_header finish(const text_cursor& where);

 private:
  struct directive;
  struct place {
    std::uint64_t line;
    std::size_t column;
  };
  static constexpr unsigned directive_count = 14, constant_banks = 32;
  static const std::array<directive, directive_count> directives;
  static const directive* find(std::string_view word);

  void read_arch(text_cursor& in);
  void read_kernel(text_cursor& in);
  void read_grid(text_cursor& in);
  void read_block(text_cursor& in);
  void read_cluster(text_cursor& in);
  void read_registers(text_cursor& in);
  void read_shared(text_cursor& in);
  void read_data(text_cursor& in);
  void read_constant(text_cursor& in);
  void read_memory(text_cursor& in);
  void read_shared_memory(text_cursor& in);
  void read_expect(text_cursor& in);
  void read_tensor_map(text_cursor& in);
  void read_matrix_shape(text_cursor& in);

  memory_image read_image(text_cursor& in, std::uint64_t limit, range_set& taken);
  memory_content read_content(text_cursor& in, std::uint64_t bytes);
  memory_content read_file(text_cursor& in, std::uint64_t bytes);
  memory_content read_hex(text_cursor& in, std::uint64_t bytes);
  void check_matrix_shapes(const std::string& file) const;
  void check_cluster(const std::string& file) const;
  void check_shared_images(const std::string& file) const;

  std::filesystem::path folder_;
  kept_digits kept_;
  size_limits limits_;
  bool is_confined_ = true;  ///< image files are in the folder
  kernel_header header_;
  std::array<std::uint64_t, directive_count> lines_{};  ///< of each directive
  std::uint64_t digit_bytes_ = 0, expected_bytes_ = 0;
  range_set memory_, shared_memory_, expectations_;
  std::array<range_set, constant_banks> constants_;
  std::optional<place> cluster_place_;
  struct shape_place {
    std::string mnemonic;
    place at;
  };
  std::vector<shape_place> shape_places_;   ///< of the matrix instructions that lines declare
  std::vector<place> shared_image_places_;  ///< parallel to header_.shared_memory
};

}  // namespace tc::trace
