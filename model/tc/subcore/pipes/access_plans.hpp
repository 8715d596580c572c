#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include <tc/subcore/pipes/access_plan.hpp>

namespace tc::subcore {

/// A plan whose addresses count from a base.
struct based_plan {
  std::uint64_t base = 0;
  std::shared_ptr<const access_plan> plan;
};

/// The plans of accesses to one memory. How an access is split follows from its addresses relative to the row or line of the lowest one.
/// A kernel's loops repeat few such patterns: those of late are kept, each with its plan.
class access_plans {
 public:
  /// Of a shared memory, see access_plan::split_by_banks().
  static access_plans by_banks(unsigned banks, unsigned bank_width_bytes);
  /// Of a global memory, see access_plan::split_by_lines().
  static access_plans by_lines(unsigned line_bytes);

  /// The plan of an access, which has at least one element.
  based_plan of(const access_elements& elements);

 private:
  /// Patterns that are kept, each in the place that its hash tells.
  static constexpr unsigned places = 32;

  struct planned {
    access_elements pattern;  ///< relative to the base; 0 where there is no element
    access_plan plan;
  };

  access_plans(unsigned banks, unsigned row_bytes);

  std::shared_ptr<const planned> make(const access_elements& pattern) const;

  unsigned banks_;  // 0: lines
  std::uint64_t row_bytes_;
  std::array<std::shared_ptr<const planned>, places> kept_;
};

}  // namespace tc::subcore
