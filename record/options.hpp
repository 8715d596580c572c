// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>

namespace tc::record {

/// What the command line asks for.
struct options {
  bool help = false;
  bool list = false;
  bool expanded = false;   ///< record also what the device's tensor cores do not have
  std::string only = "*";  ///< pattern of variant names
  unsigned cases = 128;    ///< of each vector file
  std::uint64_t seed = 1;
  std::filesystem::path folder;  ///< of the vector files; empty: none are written
  std::filesystem::path timing;  ///< file of the timed streams; empty: none are timed
};

/// A command line that cannot be understood; what() says which part.
class usage_error : public std::runtime_error {
  using runtime_error::runtime_error;
};

/// Throws usage_error.
options parse_options(int argc, const char* const* argv);

/// The text that --help prints.
extern const char* const usage;

/// Whether `name` is like `pattern`, in which * stands for any characters and ? for one.
bool matches(const char* pattern, const char* name);

}  // namespace tc::record
