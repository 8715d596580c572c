// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include <tc/isa/instruction.hpp>
#include <tc/trace/lanes.hpp>

namespace tc::trace {

/// Distance of consecutive instructions' pcs, from Volta on (Jia et al., arXiv 1804.06826).
inline constexpr std::uint32_t instruction_bytes = 16;

/// One executed instruction of one warp: what was executed, and what only the run knew about it.
struct step {
  const isa::instruction* code = nullptr;  ///< decoded text; equal texts share one, so its pc is not set
  std::uint32_t code_index = 0;            ///< place of `code` in the trace's code table, for tables beside it
  std::uint32_t pc = 0;
  lane_mask mask = all_lanes;  ///< active lanes; 0 if predicated off
  std::uint64_t line = 0;      ///< of the trace file, for messages
  address_list addresses;
  lane_mask condition = all_lanes;  ///< of an executing kernel: where the predicate of an access holds that stands behind its address
  std::uint32_t access = 0;         ///< of an executing kernel: made_steps::perform() is to be told when memory has performed it; 0: not
};

struct cta_entry;

/// Steps of one warp that are made when they are wanted.
class made_steps {
 public:
  /// step::code_index of an instruction that is in no code table: the maker sets `code`, and keeps it as long as itself.
  static constexpr std::uint32_t own_code = 0xffffffff;

  virtual ~made_steps() = default;
  /// Makes the next step, but for `code`, which the code table has; false, and `s` unchanged, at the end. Of a kernel that is executed,
  /// only pc and code.
  virtual bool next(step& s) = 0;

  // Of a kernel that is executed while it runs (step_run).

  /// The step that next() made last issues in a cycle: makes the rest of it. The code may become another one with the same registers.
  virtual void issue(step& /*s*/, std::uint64_t /*cycle*/) {}
  /// Memory performs an access, step::access of a step that has issued; of a copy to shared memory first the read, then the write.
  virtual void perform(std::uint32_t /*access*/) {}

 protected:
  made_steps() = default;
  made_steps(const made_steps&) = default;
  made_steps& operator=(const made_steps&) = default;
};

/// One run of a kernel that is executed while it runs: its steps depend on the order in which instructions issue and memory performs what
/// they access. The kernel must outlive it.
class step_run {
 public:
  virtual ~step_run() = default;
  /// The steps of the `warp`th warp of a CTA on an SM; they must not outlive the run. Called once for each.
  virtual std::unique_ptr<made_steps> play(const cta_entry& cta, unsigned warp, unsigned sm) = 0;

 protected:
  step_run() = default;
  step_run(const step_run&) = default;
  step_run& operator=(const step_run&) = default;
};

/// Knows what the warps of a kernel execute, so that no step of them is stored.
class step_maker {
 public:
  virtual ~step_maker() = default;
  /// The steps of the `warp`th warp of a CTA; the maker must outlive them.
  virtual std::unique_ptr<made_steps> play(const cta_entry& cta, unsigned warp) const = 0;
  /// A run of its kernel, if the steps depend on the run; null: they are always the same.
  virtual std::unique_ptr<step_run> begin_run() const { return nullptr; }

 protected:
  step_maker() = default;
  step_maker(const step_maker&) = default;
  step_maker& operator=(const step_maker&) = default;
};

}  // namespace tc::trace
