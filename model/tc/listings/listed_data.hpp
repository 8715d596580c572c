// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <tc/trace/text_cursor.hpp>

namespace tc::listings {

/// Bytes of a section of data that follow each other.
struct listed_bytes {
  std::uint64_t offset = 0;  ///< in the section
  std::vector<std::uint8_t> bytes;
};

/// A value in a section of data that a loader finds: the address of a symbol, or an expression of some.
struct listed_symbol {
  std::uint64_t offset = 0;  ///< in the section
  unsigned bytes = 0;
  std::string text;  ///< "vprintf", "(k + .L_x_5@srel)"
};

/// Where a label stands in a section of data.
struct listed_label {
  std::string name;
  std::uint64_t offset = 0;
};

/// The content of a section of data, from the lines that nvdisasm writes of it: "/*0008*/ .word 0x1, 0x2", ".zero 16". What a line has as a
/// symbol, whose address only a loader knows, is kept as such.
class listed_data {
 public:
  /// Takes a line if it holds data; other lines are labels and properties. Throws trace::trace_error for a number that does not fit.
  void read(trace::text_cursor& in);

  /// The runs of bytes that are known.
  const std::vector<listed_bytes>& known() const { return known_; }
  const std::vector<listed_symbol>& symbols() const { return symbols_; }
  const std::vector<listed_label>& labels() const { return labels_; }
  /// Bytes of the whole section.
  std::uint64_t size() const { return end_; }

 private:
  void add_values(trace::text_cursor& in, unsigned bytes_each);
  void add(std::uint64_t value, unsigned bytes);
  void add_zeros(std::uint64_t count);
  std::vector<std::uint8_t>& run_at_end();

  std::vector<listed_bytes> known_;
  std::vector<listed_symbol> symbols_;
  std::vector<listed_label> labels_;
  std::uint64_t end_ = 0;
};

}  // namespace tc::listings
