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
};

struct cta_entry;

/// Steps of one warp that are made when they are wanted.
class made_steps {
 public:
  virtual ~made_steps() = default;
  /// Makes the next step, but for `code`; false, and `s` unchanged, at the end.
  virtual bool next(step& s) = 0;

 protected:
  made_steps() = default;
  made_steps(const made_steps&) = default;
  made_steps& operator=(const made_steps&) = default;
};

/// Knows what the warps of a kernel execute, so that no step of them is stored.
class step_maker {
 public:
  virtual ~step_maker() = default;
  /// The steps of the `warp`th warp of a CTA; the maker must outlive them.
  virtual std::unique_ptr<made_steps> play(const cta_entry& cta, unsigned warp) const = 0;

 protected:
  step_maker() = default;
  step_maker(const step_maker&) = default;
  step_maker& operator=(const step_maker&) = default;
};

}  // namespace tc::trace
