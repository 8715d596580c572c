// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include <boost/crc.hpp>

namespace tcsim {

/// A code of the content of files, which tells whether a later look at them finds the same: CRC-64 (ECMA-182 polynomial, as in .xz files).
class file_code {
 public:
  /// Adds the size and the bytes of a file, as they are stored. Throws usage_error if it cannot be read.
  void add(const std::filesystem::path& file);

  /// 16 hexadecimal digits.
  std::string text() const;

 private:
  boost::crc_optimal<64, 0x42F0E1EBA9EA3693, 0xFFFFFFFFFFFFFFFF, 0xFFFFFFFFFFFFFFFF, true, true> crc_;
};

}  // namespace tcsim
