// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include <boost/icl/interval_set.hpp>

namespace tc::memory {

/// The bytes of a large address space that have no defined value, because what was written there last had none. In nearly all runs there
/// are none, which is_empty() tells at once.
class undefined_ranges {
 public:
  bool is_empty() const { return ranges_.empty(); }

  /// `count` bytes, at least one, have got a value.
  void define(std::uint64_t address, std::uint64_t count) { ranges_.subtract(range_of(address, count)); }
  /// Bytes have been written of which those with a flag that is not 0 have no value, the others have one.
  void write(std::uint64_t address, std::uint64_t count, const unsigned char* flags);

  /// Whether one of these bytes, of which there is at least one, is undefined.
  bool any(std::uint64_t address, std::uint64_t count) const { return !is_empty() && reaches_into(address, count); }
  /// By byte: 1 if it is undefined, else 0.
  void copy(std::uint64_t address, std::uint64_t count, std::vector<unsigned char>& flags) const;

  void clear() { ranges_.clear(); }

 private:
  using range = boost::icl::closed_interval<std::uint64_t>;  // closed: the last byte of the address space has no end behind it

  static range range_of(std::uint64_t address, std::uint64_t count) { return {address, address + (count - 1)}; }
  bool reaches_into(std::uint64_t address, std::uint64_t count) const;

  boost::icl::interval_set<std::uint64_t, std::less, range> ranges_;
};

}  // namespace tc::memory
