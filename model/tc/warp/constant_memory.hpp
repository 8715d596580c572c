// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace tc::warp {

/// The constant banks of a kernel. Words that the trace does not give are undefined.
class constant_memory {
 public:
  /// Sets bytes from `offset` on.
  void set(unsigned bank, std::uint32_t offset, const std::vector<std::uint8_t>& bytes);

  /// The little-endian word at a byte offset; nothing if any of its bytes is undefined.
  std::optional<std::uint32_t> word(unsigned bank, std::uint32_t offset) const;

 private:
  struct bank_content {
    std::vector<std::uint8_t> bytes;
    std::vector<bool> defined;
  };
  std::map<unsigned, bank_content> banks_;
};

}  // namespace tc::warp
