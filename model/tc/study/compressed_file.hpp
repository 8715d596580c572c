// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iosfwd>
#include <memory>
#include <stdexcept>
#include <string>

namespace tc::study {

/// Something is wrong with a vector file. what() reads `file: what is wrong, what would be right`.
class vector_error : public std::runtime_error {
 public:
  vector_error(const std::string& file, const std::string& message) : std::runtime_error(file + ": " + message) {}
};

/// A file read from its beginning to its end; xz and gzip data are recognised by their first bytes and unpacked on the way.
class compressed_input {
 public:
  /// Throws vector_error if the file cannot be opened, or is named .xz or .gz and holds something else.
  explicit compressed_input(const std::filesystem::path& path);
  ~compressed_input();
  compressed_input(compressed_input&&) noexcept;
  compressed_input& operator=(compressed_input&&) noexcept;

  /// Reads up to `count` bytes; fewer only at the end of the data. Throws vector_error if the compressed data are damaged.
  std::size_t read(char* bytes, std::size_t count);
  /// Reads up to and without the next line feed, at most `limit` characters; false if there is no line feed in these.
  bool read_line(std::string& line, std::size_t limit);

  const std::string& name() const { return name_; }

 private:
  std::string name_;
  std::unique_ptr<std::ifstream> file_;
  std::unique_ptr<std::istream> unpacked_;
};

/// How bytes are stored.
enum class compression { none, xz, gzip };

/// What the ending of a file's name asks for: .xz, .gz, or anything else.
compression compression_of(const std::filesystem::path& path);
/// The name without the ending that compression_of() understands: "a.dot" for "a.dot.xz".
std::filesystem::path without_compression(const std::filesystem::path& path);

/// Compresses what `write` puts into its stream, and passes it on to `target`. Throws what a compressor throws, std::bad_alloc, and
/// std::ios_base::failure if `target` fails.
void write_compressed(std::ostream& target, compression how, const std::function<void(std::ostream&)>& write);

}  // namespace tc::study
