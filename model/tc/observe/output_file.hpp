// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace tc::observe {

/// A file that is being written and is to stand at a path when it is whole. Until then it has no name, so that nothing of it is left
/// however the process ends. Where the file system has no files without names (open(2), O_TMPFILE), it has a temporary one beside the path;
/// and where a file stands at the path, the new one has such a name between the two system calls by which it takes the other's place.
/// A link is followed; what is no regular file (a pipe, /dev/null) is written directly, and the path `-` is stdout.
///
/// What fails returns false, and errno says why.
class pending_file {
 public:
  /// is_open() tells whether it could be made.
  explicit pending_file(const std::filesystem::path& path);
  /// Without a take_name() before, no file is left behind.
  ~pending_file();
  pending_file(const pending_file&) = delete;
  pending_file& operator=(const pending_file&) = delete;

  bool is_open() const { return descriptor_ >= 0; }
  /// To write to; the file keeps it.
  int descriptor() const { return descriptor_; }
  /// Writes all of it.
  bool write(std::string_view text);

  /// Closes the file and puts it at its path, in the place of a file that stands there, with the permissions of any other new file.
  bool take_name();
  /// Closes the file and removes it.
  void discard();

 private:
  bool has_a_name() const { return !name_.empty(); }
  void make();
  bool link_to(const std::string& name) const;
  bool take_temporary_name();
  bool close();

  std::string path_;
  std::string name_;  // that it has for the time being
  bool is_special_;
  int descriptor_ = -1;
};

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
