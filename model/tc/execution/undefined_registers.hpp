// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include <tc/isa/register_use.hpp>

namespace tc::execution {

struct operation;

/// What left a value undefined.
struct undefined_origin {
  const operation* op = nullptr;         ///< null: nothing has written it
  std::optional<std::uint64_t> address;  ///< of memory that it read and that has no content
};

/// In which lanes a value is undefined, and why.
struct undefined_lanes {
  std::uint32_t lanes = 0;
  undefined_origin origin;  ///< of the first ones that became so

  void add(const undefined_lanes& other) {
    if (lanes == 0) origin = other.origin;
    lanes |= other.lanes;
  }
};

/// Which registers of a warp have no value: at first all of them.
class undefined_registers {
 public:
  undefined_registers();

  undefined_lanes of(isa::register_file file, unsigned index) const;
  /// An instruction has written a register in the lanes of `mask`. A uniform register has one value, so it is undefined if a lane is.
  void write(isa::register_file file, unsigned index, std::uint32_t mask, const undefined_lanes& value);

 private:
  /// Of the register files that hold values, one behind the other; no place for constant registers and files that hold none.
  static std::optional<std::size_t> place_of(isa::register_file file, unsigned index);

  static constexpr std::size_t first_uniform = isa::zero_register, first_predicate = first_uniform + isa::zero_uniform_register,
                               first_uniform_predicate = first_predicate + isa::true_predicate,
                               places = first_uniform_predicate + isa::true_predicate;
  std::array<undefined_lanes, places> registers_;
};

}  // namespace tc::execution
