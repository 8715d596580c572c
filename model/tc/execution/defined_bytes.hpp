// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bitset>
#include <cstdint>
#include <optional>
#include <unordered_map>

#include <tc/execution/undefined_registers.hpp>

namespace tc::execution {

/// Which bytes of a memory have a value: at first none. Pages that hold some take memory.
class defined_bytes {
 public:
  void define(std::uint64_t address, std::uint64_t bytes) { set(address, bytes, true); }
  /// Something undefined is stored.
  void undefine(std::uint64_t address, std::uint64_t bytes, const undefined_origin& origin);
  /// All that is defined becomes undefined.
  void clear() { pages_.clear(); }
  /// What left the byte undefined that was stored last at an address or near to it; null if nothing has been stored there.
  const undefined_origin* origin_of(std::uint64_t address) const;
  /// The first byte of a range that is undefined; nothing if all are defined.
  std::optional<std::uint64_t> first_undefined(std::uint64_t address, std::uint64_t bytes) const;

 private:
  static constexpr std::uint64_t page_bytes = 4096, word_bytes = 4;

  void set(std::uint64_t address, std::uint64_t bytes, bool defined);

  std::unordered_map<std::uint64_t, std::bitset<page_bytes>> pages_;  ///< by number
  std::unordered_map<std::uint64_t, undefined_origin> origins_;       ///< by number of the word
};

}  // namespace tc::execution
