// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <string>
#include <vector>

#include <tc/study/case_layout.hpp>
#include <tc/study/compressed_file.hpp>
#include <tc/study/vector_case.hpp>
#include <tc/study/vector_header.hpp>

namespace tc::study {

/// Reads a vector file, plain or compressed, case by case.
class vector_reader {
 public:
  /// Opens a file and reads its header. Throws vector_error.
  explicit vector_reader(const std::filesystem::path& file);

  const std::string& name() const { return input_.name(); }
  const vector_header& header() const { return header_; }

  /// The next case; false after the last one. Throws vector_error if the file ends in a case, goes on after the last one, or has bits
  /// where no element is.
  bool next(vector_case& values);

 private:
  [[noreturn]] void fail(const std::string& message) const;
  void check_unused_bits() const;

  compressed_input input_;
  vector_header header_;
  case_layout layout_;
  std::uint64_t cases_read_ = 0;
  std::vector<char> bytes_;
  std::vector<std::uint32_t> stored_;
};

/// Writes a vector file, case by case.
class vector_writer {
 public:
  /// Writes the header to `out`, which must outlive the writer.
  vector_writer(std::ostream& out, const vector_header& header);

  void write(const vector_case& values);

 private:
  std::ostream& out_;
  case_layout layout_;
  std::vector<std::uint32_t> stored_;
};

}  // namespace tc::study
