// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include <tc/isa/tensor_map.hpp>

namespace tc::warp {

/// The constant banks of a kernel. Words that the trace does not give are undefined.
class constant_memory {
 public:
  /// Sets bytes from `offset` on.
  void set(unsigned bank, std::uint32_t offset, const std::vector<std::uint8_t>& bytes);

  /// Bytes that follow each other and are given.
  struct range {
    unsigned bank = 0;
    std::uint32_t offset = 0;
    std::vector<std::uint8_t> bytes;
  };
  /// All that is given, by bank and offset.
  std::vector<range> ranges() const;

  /// The little-endian word at a byte offset; nothing if any of its bytes is undefined.
  std::optional<std::uint32_t> word(unsigned bank, std::uint32_t offset) const { return number(bank, offset, 4); }
  /// The same of one to four bytes.
  std::optional<std::uint32_t> number(unsigned bank, std::uint32_t offset, unsigned bytes) const;

 private:
  struct bank_content {
    std::vector<std::uint8_t> bytes;
    std::vector<bool> defined;
  };
  std::map<unsigned, bank_content> banks_;
};

/// The tensor maps of a kernel, by the address that its instructions name.
class tensor_map_table {
 public:
  void add(std::uint64_t address, const isa::tensor_map& map) { maps_.emplace(address, map); }
  /// Null if there is none.
  const isa::tensor_map* find(std::uint64_t address) const {
    const auto found = maps_.find(address);
    return found == maps_.end() ? nullptr : &found->second;
  }

 private:
  std::map<std::uint64_t, isa::tensor_map> maps_;
};

}  // namespace tc::warp
