// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include <tc/machine_code/code_error.hpp>
#include <tc/study/compressed_file.hpp>
#include <tc/trace/trace_error.hpp>

namespace tc::launches {

/// The files of a packed launch, in a folder that goes with the object.
class unpacked_launch {
 public:
  /// Throws study::vector_error: `file` is no archive of a launch, or there is no place for its files.
  explicit unpacked_launch(const std::filesystem::path& file);
  ~unpacked_launch();
  unpacked_launch(const unpacked_launch&) = delete;
  unpacked_launch& operator=(const unpacked_launch&) = delete;

  /// The folder with launch.txt: the archive's own, or the only one in it.
  const std::filesystem::path& folder() const { return folder_; }
  /// A text about a file in the folder as one about a file in the archive.
  std::string of_archive(std::string text) const;

  /// What `read` gives. What it throws about a file in the folder is thrown as about one in the archive.
  template <class Read>
  auto reading(const Read& read) const {
    try {
      return read();
    } catch (const trace::trace_error& error) {
      throw trace::trace_error(of_archive(error.file()), error.line(), error.column(), behind_place(error));
    } catch (const study::vector_error& error) {
      throw study::vector_error(file_of(error.what()), behind_file(error.what()));
    } catch (const machine_code::code_error& error) {
      throw machine_code::code_error(file_of(error.what()), behind_file(error.what()));
    }
  }

 private:
  std::string behind_place(const trace::trace_error& error) const;
  std::string file_of(const std::string& message) const;
  std::string behind_file(const std::string& message) const;

  std::filesystem::path file_, scratch_, folder_;
};

}  // namespace tc::launches
