// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <scratch_folder.hpp>
#include <string>
#include <sys/types.h>
#include <vector>

#include <gtest/gtest.h>

namespace tcsim::test {

/// What a run of the command gave.
struct outcome {
  int status = -1;  ///< exit status; -1 if it was killed
  std::string out;  ///< on stdout
  std::string err;  ///< on stderr
};

/// The command tcsim while it runs.
class tcsim_process {
 public:
  /// Starts it with `arguments` in the folder `where`.
  tcsim_process(const std::vector<std::string>& arguments, const std::filesystem::path& where);

  pid_t id() const { return process_; }
  /// Waits for its end.
  outcome wait();

 private:
  scratch_folder outputs_;
  pid_t process_ = -1;
};

/// Runs the command tcsim with `arguments` in the folder `where`.
outcome run_tcsim(const std::vector<std::string>& arguments, const std::filesystem::path& where);

/// The content of a file; empty (and a failure) if it cannot be read.
std::string content_of(const std::filesystem::path& file);

/// A test of the command in an empty folder of its own.
class command_test : public testing::Test {
 protected:
  /// Runs the command in the folder.
  outcome tcsim(const std::vector<std::string>& arguments) const { return run_tcsim(arguments, folder()); }
  /// Writes a file in the folder and returns its name.
  std::string file(const std::string& name, const std::string& content) const;

  /// The command must refuse: exit status 2, nothing on stdout, one line on stderr with all of `words`, and no new file.
  void expect_refusal(const std::vector<std::string>& arguments, const std::vector<std::string>& words) const;

  const std::filesystem::path& folder() const { return scratch_.path(); }

 private:
  std::vector<std::string> files() const;

  scratch_folder scratch_;
};

/// The text of a trace of one warp on one CTA: header lines, then instructions. An EXIT is added.
std::string one_warp(const std::string& arch, const std::string& header, const std::string& instructions);

}  // namespace tcsim::test
