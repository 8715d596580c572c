// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include <tc/fabric/clocked.hpp>

namespace tc::device {

/// Looks at a machine between cycles of its run, for instance at its counters or its memories. The run gives the same result with it as
/// without; what looks must not change anything.
class run_pauses {
 public:
  virtual ~run_pauses() = default;

  /// Before which cycle it wants to look next, later than any it has looked before and not before cycle 1; absent: never again. Asked when
  /// the run begins, and after each look.
  virtual std::optional<fabric::cycle_t> next() const = 0;
  /// The edges of all cycles before `cycle` have run, and none from it on. Not called for a cycle that the run does not reach.
  virtual void look(fabric::cycle_t cycle) = 0;
};

}  // namespace tc::device
