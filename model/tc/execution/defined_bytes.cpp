// SPDX-License-Identifier: Apache-2.0
#include "defined_bytes.hpp"

#include <algorithm>

namespace tc::execution {

std::optional<std::uint64_t> defined_bytes::first_undefined(std::uint64_t address, std::uint64_t bytes) const {
  for (std::uint64_t at = address; at < address + bytes;) {
    const auto page = pages_.find(at / page_bytes);
    if (page == pages_.end()) return at;
    const std::uint64_t end = std::min(address + bytes, (at / page_bytes + 1) * page_bytes);
    for (; at < end; ++at)
      if (!page->second[at % page_bytes]) return at;
  }
  return std::nullopt;
}

void defined_bytes::undefine(std::uint64_t address, std::uint64_t bytes, const undefined_origin& origin) {
  set(address, bytes, false);
  for (std::uint64_t at = address; at < address + bytes; at += word_bytes) origins_[at / word_bytes] = origin;
}

const undefined_origin* defined_bytes::origin_of(std::uint64_t address) const {
  const auto found = origins_.find(address / word_bytes);
  return found != origins_.end() ? &found->second : nullptr;
}

void defined_bytes::set(std::uint64_t address, std::uint64_t bytes, bool defined) {
  for (std::uint64_t at = address; at < address + bytes;) {
    const std::uint64_t end = std::min(address + bytes, (at / page_bytes + 1) * page_bytes);
    auto page = pages_.find(at / page_bytes);
    if (page == pages_.end() && defined) page = pages_.try_emplace(at / page_bytes).first;
    if (page != pages_.end() && end - at == page_bytes) {
      defined ? page->second.set() : page->second.reset();
    } else if (page != pages_.end()) {
      for (std::uint64_t byte = at; byte < end; ++byte) page->second[byte % page_bytes] = defined;
    }
    at = end;
  }
}

}  // namespace tc::execution
