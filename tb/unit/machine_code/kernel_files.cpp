// SPDX-License-Identifier: Apache-2.0
#include "kernel_files.hpp"

#include <array>
#include <filesystem>
#include <sstream>

#include <tc/study/compressed_file.hpp>

namespace tc::test {

namespace {

std::string unpacked(const std::string& name) {
  study::compressed_input file(std::filesystem::path(TC_SOURCE_DIR) / "tb/unit/machine_code/data" / name);
  std::string bytes;
  std::array<char, 4096> part{};
  while (const std::size_t count = file.read(part.data(), part.size())) bytes.append(part.data(), count);
  return bytes;
}

}  // namespace

const std::vector<std::string>& kernel_targets() {
  static const std::vector<std::string> targets = {"sm_75", "sm_80", "sm_86", "sm_89", "sm_90a"};
  return targets;
}

std::string bounds_bytes() { return unpacked("bounds.sm_90.cubin.xz"); }

std::string cubin_bytes(const std::string& target) { return unpacked("kernels." + target + ".cubin.xz"); }

std::string relocatable_bytes() { return unpacked("relocatable.sm_75.cubin.xz"); }

std::map<std::string, std::vector<std::string>> disassembled(const std::string& target) {
  std::map<std::string, std::vector<std::string>> functions;
  std::istringstream lines(unpacked("kernels." + target + ".text.xz"));
  std::vector<std::string>* texts = nullptr;
  constexpr std::size_t offset_digits = 5;  // "00f0 "
  for (std::string line; std::getline(lines, line);)
    if (line.rfind("function ", 0) == 0)
      texts = &functions[line.substr(9)];
    else
      texts->push_back(line.substr(offset_digits));
  return functions;
}

}  // namespace tc::test
