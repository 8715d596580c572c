// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

/// What libFuzzer calls with each input; every target defines it. Returns 0.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace tcsim::fuzz {

/// The input as text.
inline std::string_view text_of(const std::uint8_t* data, std::size_t size) { return {reinterpret_cast<const char*>(data), size}; }

/// Ends the process, by which libFuzzer keeps the input, unless what must hold does.
void require(bool holds, std::string_view what);

/// Ends the process unless two texts are the same.
void require_same(std::string_view found, std::string_view expected, std::string_view what);

/// Ends the process unless line and column, from 1 on, are in `text` or just behind its end. A column may be just behind its line.
void require_inside(std::string_view text, std::uint64_t line, std::uint64_t column, std::string_view message);

/// A file in memory, for readers that take a path.
class memory_file {
 public:
  explicit memory_file(std::string_view content);
  ~memory_file();
  memory_file(const memory_file&) = delete;
  memory_file& operator=(const memory_file&) = delete;

  std::filesystem::path path() const;

 private:
  int descriptor_;
};

}  // namespace tcsim::fuzz
