// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tc/fabric/warp_access.hpp>

namespace tc::fabric {

/// An access of a warp to global memory as a whole: what its transactions say one by one (cache_hint, wavefront). Each group arrives a
/// cycle after the one before it, the first one when the access does.
struct line_access : warp_access {
  unsigned transactions = 0;  ///< how many it would take: one for each run, or for each group
  bool bypass_l1 = false;     ///< cache_hint::bypass_l1
};

/// A global memory for a unit whose link to it is direct (direct_link.hpp): the same changes of state as by transactions, in the same call,
/// an access at a time.
class direct_global_memory {
 public:
  /// False if a transaction of it would be answered with an error. Then nothing has happened, and transactions must be sent.
  virtual bool execute(line_access& access) = 0;

 protected:
  ~direct_global_memory() = default;
};

}  // namespace tc::fabric
