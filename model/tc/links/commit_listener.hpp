// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <systemc>

namespace tc::links {

/// Who wants to know when somebody learns, at an mbarrier, that what was committed is complete (tcgen05.commit).
class commit_listener : public virtual sc_core::sc_interface {
 public:
  /// A wait for the phase in which this commit arrived is over.
  virtual void phase_observed(std::uint64_t commit) = 0;
};

}  // namespace tc::links
