// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include <tc/observe/pending_file.hpp>

namespace tc::observe {

/// A file that is written piece by piece while a simulation runs. Until close() it is a pending_file, so that nobody sees half of it.
///
/// A run does not stop because a disk is full: the first failure is kept, the file removed at once, and whatever is written after that
/// ignored.
class output_file {
 public:
  /// Throws std::runtime_error, with path and reason, if the file cannot be made.
  explicit output_file(const std::filesystem::path& path);
  /// Without a close() before, no file is left behind.
  ~output_file() = default;
  output_file(const output_file&) = delete;
  output_file& operator=(const output_file&) = delete;

  void write(std::string_view text) {
    if (text.size() > capacity - used_) {
      write_through(text);
    } else {
      std::memcpy(buffer_.get() + used_, text.data(), text.size());
      used_ += text.size();
    }
  }

  /// Writes what is left and gives the file its name, replacing a file that had it; returns whether all went well. Nothing can be written
  /// afterwards.
  bool close();

  bool failed() const { return !error_.empty(); }
  /// What went wrong first, with path and reason; empty if nothing did. Text that waits in the buffer has not failed yet.
  const std::string& error() const { return error_; }

 private:
  static constexpr std::size_t capacity = std::size_t{1} << 16;

  void write_through(std::string_view text);
  void flush();
  void store(std::string_view text);
  void fail();

  std::string path_;
  pending_file file_;
  std::unique_ptr<char[]> buffer_;
  std::size_t used_ = 0;
  std::string error_;
};

}  // namespace tc::observe
