// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <utility>
#include <variant>
#include <vector>

namespace tc::trace {

/// Bytes that are read where they lie, as part of something larger.
class content_source {
 public:
  virtual ~content_source() = default;
  /// Copies `count` bytes from `offset` on. Throws std::runtime_error if they cannot be read.
  virtual void copy(std::uint64_t offset, std::uint8_t* destination, std::size_t count) const = 0;

 protected:
  content_source() = default;
  content_source(const content_source&) = default;
  content_source& operator=(const content_source&) = default;
};

/// What a memory image holds: one byte repeated, the bytes themselves, a file, or part of something larger. Only the bytes written in the
/// trace take memory.
class memory_content {
 public:
  static memory_content filled(std::uint64_t bytes, std::uint8_t value);
  static memory_content literal(std::vector<std::uint8_t> bytes);
  /// A file of exactly `bytes` bytes; it is read by copy().
  static memory_content file(std::filesystem::path path, std::uint64_t bytes);
  /// `bytes` bytes of `from`, from its begin.
  static memory_content part(std::shared_ptr<const content_source> from, std::uint64_t bytes);

  std::uint64_t bytes() const { return bytes_; }
  /// The file that holds the bytes; null if there is none of their own.
  const std::filesystem::path* file_path() const { return std::get_if<std::filesystem::path>(&source_); }
  /// Copies `count` bytes from `offset` on; offset + count must not pass bytes(). Throws std::runtime_error if the file has become
  /// unreadable or shorter since the trace was opened.
  void copy(std::uint64_t offset, std::uint8_t* destination, std::size_t count) const;

 private:
  using source = std::variant<std::uint8_t, std::vector<std::uint8_t>, std::filesystem::path, std::shared_ptr<const content_source>>;
  memory_content(std::uint64_t bytes, source from) : bytes_(bytes), source_(std::move(from)) {}

  std::uint64_t bytes_;
  source source_;
};

}  // namespace tc::trace
