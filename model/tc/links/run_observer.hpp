// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include <systemc>

#include <tc/fabric/extensions.hpp>
#include <tc/links/warp_instruction.hpp>
#include <tc/warp/warp_context.hpp>

namespace tc::links {

/// The instruction of a warp that an asynchronous unit works on.
struct asynchronous_origin {
  const warp::warp_context* warp = nullptr;
  const isa::instruction* code = nullptr;
  std::uint32_t line = 0;  ///< of the trace
};

/// Who wants to know what asynchronous units, and others that read what these write, find in shared memory. Calls come once for each
/// instruction and kind of finding.
class asynchronous_observer : public virtual sc_core::sc_interface {
 public:
  /// A unit reads bytes that it cannot rely on, the first of them at an address of the CTA's window.
  virtual void unordered_read(const asynchronous_origin& reader, fabric::proxy_hazard hazard, std::uint64_t address) = 0;

  /// A unit finds that an instruction breaks a rule of order; `what` continues a sentence that begins with the instruction.
  virtual void ordering_hazard(const asynchronous_origin& instruction, const std::string& what) = 0;

  /// A unit reads bytes that nobody has written.
  virtual void undefined_read(const asynchronous_origin& reader, std::uint64_t address) = 0;
};

/// How a register comes to be used before another instruction is done with it. One that is named later counts for more.
enum class early_kind : std::uint8_t {
  overwritten_before_read,   ///< nothing has waited for the dependence counter of an instruction that reads the register late: the register
                             ///< is written again
  overwritten_without_wait,  ///< nothing has waited for the dependence counter of the producer, or it has none: the register is written
                             ///< again
  read_without_wait,         ///< the same, and the register is read
  by_stall_counts,           ///< something else has held the reader up, which stall counts alone would not have
  happened,                  ///< the reader has got the old value
};

/// A register that an instruction uses too early.
struct early_read {
  const isa::register_use* use = nullptr;
  cycle_t cycles = 0;  ///< by which a read is early; unknown_cycle: the producer does not know yet when it will write
  early_kind kind = early_kind::happened;
};

/// What the registers of an access say about its addresses in the trace. Lanes are bits.
struct address_evidence {
  std::uint32_t compared = 0;   ///< lanes whose registers hold known values
  std::uint32_t unknown = 0;    ///< other lanes that access memory
  std::uint32_t different = 0;  ///< of those compared: the trace has another address
  std::uint64_t computed = 0;   ///< what the registers of the first of these make
};

/// Who wants to know what happens in a run: the machine around the sub-core. Calls come in the cycle in which the thing happens.
class run_observer : public asynchronous_observer {
 public:
  using asynchronous_observer::ordering_hazard;

  /// A clock register was read; `cycle` is what it showed.
  virtual void clock_read(const warp_instruction& reader, cycle_t cycle) = 0;

  /// A matrix instruction or a store takes a value that nothing defined.
  virtual void undefined_value(const warp_instruction& consumer, const value_origin& origin) = 0;

  /// A memory instruction has its operands: whether they make the addresses that it uses.
  virtual void addresses_compared(const warp_instruction& accessor, const address_evidence& evidence) = 0;

  /// Under hazard policy `silicon`: the control codes let a warp's instruction go too early.
  virtual void register_hazard(const warp::warp_context& warp, const warp::warp_step& consumer, const early_read& read) = 0;

  /// An asynchronous instruction, or one that meets what such an instruction works on, breaks a rule of their order; `what` continues a
  /// sentence that begins with the instruction.
  virtual void ordering_hazard(const warp_instruction& instruction, const std::string& what) = 0;
};

}  // namespace tc::links
