// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <tc/trace/step_source.hpp>

namespace tc::trace {

/// An open file that is read at any place and keeps no position. It is closed at the end.
class positioned_file {
 public:
  /// Takes a descriptor of the operating system; a negative one stands for a file that could not be opened.
  explicit positioned_file(int descriptor) : descriptor_(descriptor) {}
  ~positioned_file();
  positioned_file(positioned_file&& other) noexcept;
  positioned_file& operator=(positioned_file&&) = delete;

  bool is_open() const { return descriptor_ >= 0; }
  /// Bytes of the file.
  std::uint64_t size() const;
  /// Appends bytes. False, and errno says why, if not all could be written.
  bool append(const std::uint8_t* bytes, std::size_t count);
  /// Reads `count` bytes from `offset` on. False, and errno says why, if the file has fewer (ENODATA) or cannot be read.
  bool read(std::uint64_t offset, std::uint8_t* destination, std::size_t count) const;

 private:
  int descriptor_;
};

/// The temporary file cannot be made, written or read: the message names its folder and the cause.
class spool_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// An unlinked temporary file: written once from the front, then read at any place. It is gone when it is closed, however the program ends.
class spool_file final : public step_source {
 public:
  /// Makes the file in `folder`; if that is empty, in $TMPDIR, or else in /tmp.
  explicit spool_file(std::filesystem::path folder = {});

  /// Room for `count` bytes at the end of the file; commit() says how many of them were used. Throws spool_error.
  std::uint8_t* reserve(std::size_t count);
  void commit(const std::uint8_t* end) { used_ = static_cast<std::size_t>(end - buffer_.data()); }
  /// Bytes appended so far.
  std::uint64_t size() const { return written_ + used_; }
  /// Writes what is still in memory and releases the buffer; nothing can be appended afterwards. Throws spool_error.
  void finish();

  std::size_t piece_bytes() const override { return 4096; }
  /// Reads `count` bytes from `offset` on, after finish(). Throws spool_error.
  std::size_t read(std::uint64_t offset, std::uint8_t* destination, std::size_t count) const override;
  /// The file itself, after finish().
  positioned_file take() && { return std::move(file_); }

 private:
  static positioned_file make(const std::filesystem::path& folder);
  void flush();
  [[noreturn]] void fail(const char* what) const;

  std::filesystem::path folder_;
  positioned_file file_;
  std::vector<std::uint8_t> buffer_;
  std::size_t used_ = 0;
  std::uint64_t written_ = 0;
};

}  // namespace tc::trace
