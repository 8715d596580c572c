// SPDX-License-Identifier: Apache-2.0
#include "kernel_constants.hpp"

#include <algorithm>
#include <cstddef>

namespace tc::warp {

void constant_memory::set(unsigned bank, std::uint32_t offset, const std::vector<std::uint8_t>& bytes) {
  auto& content = banks_[bank];
  const std::size_t end = std::size_t{offset} + bytes.size();
  if (content.bytes.size() < end) {
    content.bytes.resize(end);
    content.defined.resize(end);
  }
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    content.bytes[offset + i] = bytes[i];
    content.defined[offset + i] = true;
  }
}

std::vector<constant_memory::range> constant_memory::ranges() const {
  std::vector<range> found;
  for (const auto& [bank, content] : banks_) {
    for (std::size_t i = 0; i < content.bytes.size(); ++i) {
      if (!content.defined[i]) continue;
      if (i == 0 || !content.defined[i - 1]) found.push_back({bank, static_cast<std::uint32_t>(i), {}});
      found.back().bytes.push_back(content.bytes[i]);
    }
  }
  return found;
}

std::optional<std::uint32_t> constant_memory::number(unsigned bank, std::uint32_t offset, unsigned bytes) const {
  const auto found = banks_.find(bank);
  if (found == banks_.end() || std::size_t{offset} + bytes > found->second.bytes.size()) return std::nullopt;
  std::uint32_t value = 0;
  for (unsigned i = 0; i < bytes; ++i) {
    if (!found->second.defined[offset + i]) return std::nullopt;
    value |= std::uint32_t{found->second.bytes[offset + i]} << (8 * i);
  }
  return value;
}

}  // namespace tc::warp
