// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <vector>

#include <boost/describe/class.hpp>

#include <tc/config/parameter_type.hpp>
#include <tc/config/validation.hpp>

namespace tcsim {

/// Recorded vectors to compare with what a machine computes, as the options of `tcsim replay` describe it.
struct replay_parameters {
  std::vector<std::string> files{};
  bool errors = true;
};
BOOST_DESCRIBE_STRUCT(replay_parameters, (), (files, errors))

inline constexpr auto describe_parameters(const replay_parameters*) {
  using tc::config::parameter_note;
  return std::array{
      parameter_note{"files", "", "vectors: fragments of instructions (.bin) or dot products (.dot), plain, .xz or .gz", ""},
      parameter_note{"errors", "", "measure also how far what the machine computes is from exact sums, of floating-point vectors", ""},
  };
}

/// Throws config_error.
inline void validate(const replay_parameters& parameters, const std::string& path) {
  tc::config::require(!parameters.files.empty(), tc::config::member_path(path, "files"), "is empty: name at least one vector file");
}

}  // namespace tcsim
