// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace tc::observe {

/// A file that is being written and is to stand at a path when it is whole. Until then it has no name, so that nothing of it is left
/// however the process ends. Where the file system has no files without names (open(2), O_TMPFILE), it has a temporary one beside the path;
/// and where a file stands at the path, the new one has such a name between the two system calls by which it takes the other's place.
/// A link is followed; what is no regular file (a pipe, /dev/null) is written directly.
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

}  // namespace tc::observe
