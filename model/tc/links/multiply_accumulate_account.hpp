// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <tc/fabric/statistics.hpp>
#include <tc/isa/element_type.hpp>

namespace tc::links {

/// Counts multiply-accumulates, all together and by the element type of A. Integers with and without a sign are of one type, s8 or s4: the
/// same multipliers take them.
class multiply_accumulate_account {
 public:
  void add(isa::element_type a, std::uint64_t count) { of_type_[static_cast<std::size_t>(a)] += count; }

  /// Their sum, and that of each type of which there were any.
  void collect(fabric::statistics_sink& sink) const;

 private:
  std::array<std::uint64_t, static_cast<std::size_t>(isa::element_type::ue4m3) + 1> of_type_{};
};

}  // namespace tc::links
