// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "random_numbers.hpp"
#include "warp_access.hpp"

namespace tc::tensor_programs {

/// Global memory that a program reads random words from, and where it leaves what it loads from tensor memory.
class kernel_memory {
 public:
  /// Words for all uses, and sparsity codes.
  enum class pool : std::uint8_t { any, codes_of_four, codes_of_two };

  explicit kernel_memory(random_numbers& random);

  /// The address from which 32 threads load `words` each.
  std::uint64_t random_address(random_numbers& random, pool from, unsigned words) const;
  std::uint32_t word(std::uint64_t address) const;

  /// Where 32 threads store words, thread 0's first: `words` of neighbouring registers each.
  std::uint64_t expect(const warp_registers& registers, unsigned first, unsigned words);

  /// Shared memory, as it is all the time.
  const std::vector<std::uint8_t>& shared() const { return shared_; }
  /// The lines of a trace's header.
  std::string text() const;

 private:
  std::vector<std::uint8_t> inputs_, shared_, results_;
};

}  // namespace tc::tensor_programs
