// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>

#include <tc/isa/tensor_map.hpp>

namespace tc::warp {

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
