// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include <tc/execution/defined_bytes.hpp>
#include <tc/execution/undefined_registers.hpp>
#include <tc/isa/instruction.hpp>
#include <tc/trace/lanes.hpp>

namespace tc::execution {

class warp_state;
struct operation;

/// Which values of an execution do not follow from what its launch gives: registers that nothing has written, memory and constants without
/// content, clocks, what is not executed, and all that is computed from these. It goes along with the execution, an instruction ahead.
class undefined_values {
 public:
  undefined_values();
  ~undefined_values();
  undefined_values(const undefined_values&) = delete;
  undefined_values& operator=(const undefined_values&) = delete;

  /// Global memory, of which the launch gives some bytes.
  defined_bytes& global() { return global_; }

  undefined_lanes of(const warp_state& warp, isa::register_file file, unsigned index);
  /// Of the registers that a memory operand adds.
  undefined_lanes of(const warp_state& warp, const isa::memory_reference& memory);
  /// Of all that an instruction reads but memory: registers, those of its addresses and its guard too, and constants.
  undefined_lanes read_by(const warp_state& warp, const operation& op);

  /// Follows an instruction that is about to be executed in the lanes of `mask`, which is not empty, with the addresses that a trace has
  /// for it, which are defined. Lets the global memory come into being that it accesses, which may define some. Returns the lanes in which
  /// it may be executed: none or fewer if what it would compute is undefined in the others.
  std::uint32_t follow(const warp_state& warp, const operation& op, std::uint32_t mask, const trace::address_list& addresses);
  /// An instruction is not executed: its results, and the bytes that it would write, are undefined.
  void forget(const warp_state& warp, const operation& op, std::uint32_t mask, const trace::address_list& addresses);
  /// It is not known where or in which lanes an instruction is executed: its results are undefined, for the same cause.
  void forget_results(const warp_state& warp, const operation& op, std::uint32_t mask, const undefined_origin& cause);
  /// A CTA has ended.
  void ended(std::uint64_t cta);

 private:
  struct cta_values;
  struct access;
  using follower = std::uint32_t (undefined_values::*)(const access& now);

  cta_values& values_of(const warp_state& warp);
  static follower follower_of(const operation& op);
  static follower follower_of_access(isa::memory_action action);
  static undefined_lanes of_operands(const access& now);
  void write_results(const access& now, const undefined_lanes& value);

  std::uint32_t follow_lanes(const access& now);
  std::uint32_t follow_exchange(const access& now);
  std::uint32_t follow_unknown(const access& now);
  std::uint32_t follow_special_register(const access& now);
  std::uint32_t follow_constant_load(const access& now);
  std::uint32_t follow_predicates_to_register(const access& now);
  std::uint32_t follow_register_to_predicates(const access& now);
  std::uint32_t follow_barrier(const access& now);
  std::uint32_t follow_barrier_result(const access& now);
  static std::uint32_t lanes_under_condition(const access& now, unsigned first, undefined_lanes& unknown);
  std::uint32_t follow_load(const access& now);
  std::uint32_t follow_store(const access& now);
  std::uint32_t follow_copy(const access& now);
  std::uint32_t follow_matrix_load(const access& now);
  std::uint32_t follow_matrix_store(const access& now);
  std::uint32_t follow_warpgroup(const access& now);
  std::uint32_t follow_atomic(const access& now);

  defined_bytes global_;
  std::map<std::uint64_t, cta_values> ctas_;
};

}  // namespace tc::execution
