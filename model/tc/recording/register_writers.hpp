// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <tc/isa/instruction.hpp>

namespace tc::recording {

/// Which instruction wrote each register of a warp last, by the ids of their records.
class register_writers {
 public:
  /// The instructions whose results this one reads, each once; valid until the next call.
  const std::vector<std::uint64_t>& producers(const isa::instruction& consumer);
  /// The instruction of this record writes its destinations.
  void written_by(const isa::instruction& producer, std::uint64_t record);
  /// As for a new warp.
  void clear() { writers_ = {}; }

 private:
  static constexpr std::size_t registers_of_a_file = 256, files = 4;

  std::uint64_t* writer(isa::register_file file, unsigned index);

  std::array<std::array<std::uint64_t, registers_of_a_file>, files> writers_{};  // 0: nobody
  std::vector<std::uint64_t> found_;
};

}  // namespace tc::recording
