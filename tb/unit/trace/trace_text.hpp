// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <tc/trace/trace.hpp>

namespace tc::trace::test {

/// The lines of a small valid trace, to be changed by a test. Lines count from 1, as in messages.
class trace_text {
 public:
  trace_text()
      : lines_{
            "tcsim-trace 1",   //  1
            "arch sm_75",      //  2
            "kernel example",  //  3
            "grid 2 2 1",      //  4
            "block 80 1 1",    //  5: two and a half warps
            "registers 64",    //  6
            "shared 4096",     //  7
            "cta 0 0 0",       //  8
            "warp 0",          //  9
            "/*0000*/ NOP",    // 10
            "/*0010*/ EXIT",   // 11
        } {}

  trace_text& replace(std::size_t line, const std::string& text) {
    lines_.at(line - 1) = text;
    return *this;
  }
  trace_text& erase(std::size_t line) {
    lines_.erase(lines_.begin() + static_cast<std::ptrdiff_t>(line) - 1);
    return *this;
  }
  /// Puts a line before the `line`th.
  trace_text& insert(std::size_t line, const std::string& text) {
    lines_.insert(lines_.begin() + static_cast<std::ptrdiff_t>(line) - 1, text);
    return *this;
  }
  trace_text& append(const std::string& text) {
    lines_.push_back(text);
    return *this;
  }

  std::string str() const {
    std::string text;
    for (const std::string& line : lines_) text += line + '\n';
    return text;
  }

 private:
  std::vector<std::string> lines_;
};

/// Reads a trace from a string; messages call it "example.trace".
trace read_text(const std::string& text, const open_options& options = {});
inline trace read_text(const trace_text& text, const open_options& options = {}) { return read_text(text.str(), options); }

/// All steps of one warp, whose `code` is valid as long as the trace; `cta` and `warp` count in the order of trace::ctas() and of the text.
std::vector<step> steps_of(const trace& t, std::size_t cta = 0, std::uint32_t warp = 0);

/// A folder of a test's own, removed with everything in it at the end.
class scratch_folder {
 public:
  scratch_folder();
  ~scratch_folder();
  scratch_folder(const scratch_folder&) = delete;
  scratch_folder& operator=(const scratch_folder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  /// Writes a file in the folder and returns its path.
  std::filesystem::path write(const std::string& name, const std::string& content) const;

 private:
  std::filesystem::path path_;
};

/// A text as the programs xz and gzip would compress it.
std::string xz(const std::string& text);
std::string gzip(const std::string& text);

}  // namespace tc::trace::test
