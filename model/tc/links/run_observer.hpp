// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <systemc>

#include <tc/links/asynchronous_observer.hpp>
#include <tc/links/warp_instruction.hpp>

namespace tc::links {

/// Who wants to know what happens in a run: the machine around the sub-core. Calls come in the cycle in which the thing happens.
class run_observer : public asynchronous_observer {
 public:
  using asynchronous_observer::ordering_hazard;

  /// A clock register was read; `cycle` is what it showed.
  virtual void clock_read(const warp_instruction& reader, cycle_t cycle) = 0;

  /// A matrix instruction or a store takes a value that nothing defined.
  virtual void undefined_value(const warp_instruction& consumer, const value_origin& origin) = 0;

  /// Under hazard policy `silicon`: an instruction reads a register `cycles_early` before its producer has written it.
  virtual void register_hazard(const warp_instruction& consumer, const isa::register_use& use, cycle_t cycles_early) = 0;

  /// An asynchronous instruction, or one that meets what such an instruction works on, breaks a rule of their order; `what` continues a
  /// sentence that begins with the instruction.
  virtual void ordering_hazard(const warp_instruction& instruction, const std::string& what) = 0;
};

}  // namespace tc::links
