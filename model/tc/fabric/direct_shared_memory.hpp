// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <tc/fabric/warp_access.hpp>

namespace tc::fabric {

/// An access of a warp to shared memory as a whole: what its transactions say one by one (warp_tag, wavefront). The words of a group lie in
/// different banks.
struct wavefront_access : warp_access {
  unsigned warp = 0;
  std::uint64_t number = 0;     ///< wavefront::access
  unsigned wavefronts = 0;      ///< the groups of the runs
  std::uint64_t bytes = 0;      ///< from the base to the end of the last run
  std::uint32_t conflicts = 0;  ///< bit per wavefront: wavefront::conflict
};

/// A shared memory for a unit whose link to it is direct (direct_link.hpp): the same changes of state as by transactions, in the same
/// calls, an access at a time.
class direct_shared_memory {
 public:
  /// Announces an access (fabric::wavefront): where it comes from, its arrival and its wavefronts; the rest is not looked at.
  virtual void announce(const wavefront_access& access) = 0;

  /// Executes an access in the cycle before its arrival. False if a transaction of it would have more to tell than data and time: an
  /// address that does not exist, undefined or unordered bytes. Then nothing has happened, and transactions must be sent.
  virtual bool execute(wavefront_access& access) = 0;

 protected:
  ~direct_shared_memory() = default;
};

}  // namespace tc::fabric
