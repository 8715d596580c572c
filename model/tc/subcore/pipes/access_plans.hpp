// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <boost/smart_ptr/intrusive_ref_counter.hpp>

#include <tc/subcore/pipes/access_plan.hpp>

namespace tc::subcore {

/// A plan that is kept, with the accesses that it is for. Counted without a lock: a simulation has one thread.
struct kept_plan : boost::intrusive_ref_counter<kept_plan, boost::thread_unsafe_counter> {
  access_elements pattern;  ///< relative to a base; 0 where there is no element
  access_plan plan;
};

/// A plan whose addresses count from a base.
struct based_plan {
  std::uint64_t base = 0;
  boost::intrusive_ptr<const kept_plan> kept;

  const access_plan& plan() const { return kept->plan; }
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

  access_plans(unsigned banks, unsigned row_bytes);

  boost::intrusive_ptr<const kept_plan> make(const access_elements& pattern) const;

  unsigned banks_;  // 0: lines
  std::uint64_t row_bytes_;
  std::array<boost::intrusive_ptr<const kept_plan>, places> kept_;
};

}  // namespace tc::subcore
