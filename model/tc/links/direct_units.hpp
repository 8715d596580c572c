// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tc/links/warp_instruction.hpp>

namespace tc::links {

// Units at the end of instruction links that nobody else is on: they are called, and sent no transactions.

/// An execution unit, at a link dispatch.
class direct_dispatch {
 public:
  /// BEGIN_REQ: the operands arrive in this cycle.
  virtual void reserve(warp_instruction& instruction, cycle_t arrival) = 0;
  /// OPERANDS_READY.
  virtual void begin(warp_instruction& instruction) = 0;
  /// Whether begin() is done with the operands when it returns. From the start of simulation on.
  virtual bool is_done_with_operands() const = 0;

 protected:
  ~direct_dispatch() = default;
};

/// Who takes results, at a link result.
class direct_result {
 public:
  /// BEGIN_REQ: the result is visible from this cycle on.
  virtual void take(warp_instruction& instruction, cycle_t visible) = 0;
  /// For a unit that is about to compute the results, and then calls take() at once: sets warp_instruction::result_rows to where it may put
  /// them, rows of the register banks, where they stay, or the instruction's own registers.
  virtual void set_result_rows(warp_instruction& instruction) = 0;

 protected:
  ~direct_result() = default;
};

/// Who takes issued instructions, at a link issue.
class direct_issue {
 public:
  /// BEGIN_REQ: the instruction issues now.
  virtual void take(warp_instruction& instruction) = 0;

 protected:
  ~direct_issue() = default;
};

/// Who gets instructions back, at a link retire.
class direct_retire {
 public:
  /// BEGIN_REQ: the result is visible from this cycle on.
  virtual void take_back(warp_instruction& instruction, cycle_t visible) = 0;

 protected:
  ~direct_retire() = default;
};

}  // namespace tc::links
