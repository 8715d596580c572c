// SPDX-License-Identifier: Apache-2.0
#include "file_code.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <ostream>

#include <fmt/format.h>

#include "exit_status.hpp"
#include "input_files.hpp"

namespace tcsim {

void file_code::add(const std::filesystem::path& file) {
  note_input(file);
  std::ifstream in(file, std::ios::binary);
  const auto fail = [&] { throw usage_error(fmt::format("{}: cannot read the file: {}", file.string(), std::strerror(errno))); };
  if (!in) fail();
  std::array<char, std::size_t{1} << 16> bytes;
  std::uint64_t size = 0;
  while (in) {
    in.read(bytes.data(), bytes.size());
    const auto count = static_cast<std::size_t>(in.gcount());
    crc_.process_bytes(bytes.data(), count);
    size += count;
  }
  if (in.bad()) fail();
  crc_.process_bytes(&size, sizeof size);
}

std::string file_code::text() const { return fmt::format("{:016x}", crc_.checksum()); }

}  // namespace tcsim
