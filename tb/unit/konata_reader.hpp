// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

/// A row of a Konata log.
struct konata_instruction {
  struct stage {
    std::string name;
    std::uint64_t lane, begin, end;
  };
  static constexpr std::uint64_t open = ~std::uint64_t{0};

  std::uint64_t in_thread = 0, thread = 0;
  std::uint64_t begin = 0, end = open;
  bool is_flushed = false;
  std::string label{}, details{};
  std::vector<stage> stages{};
  std::vector<std::uint64_t> producers{};
};

/// Reads a log in the Kanata log format, version 0004 (docs/kanata-log-format.md of the Konata viewer), and no more of it than we write.
/// Throws std::runtime_error, with the line, for whatever breaks the rules: of the format, and that the stages of a lane do not overlap.
std::vector<konata_instruction> read_konata_log(const std::filesystem::path& path);
