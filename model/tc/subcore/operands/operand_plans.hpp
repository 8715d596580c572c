#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include <tc/isa/instruction.hpp>
#include <tc/subcore/operands/operand_plan.hpp>
#include <tc/subcore/operands/register_file.hpp>
#include <tc/subcore/operands/reuse_cache.hpp>
#include <tc/subcore/warp/warp_context.hpp>

namespace tc::subcore {

/// The operand plans of the instructions that a sub-core executes, each made once. A plan follows from the instruction, from the bank in
/// which the registers of the warp begin, and from which of its operands the reuse cache has.
class operand_plans {
 public:
  explicit operand_plans(const register_mapping& mapping) : mapping_(mapping) {}

  /// The plan of an instruction with the reuse cache as it is. It stays where it is while it is in use, see launch().
  const operand_plan& of(const isa::instruction& code, unsigned warp_slot, const reuse_cache& cache) {
    if (warp_slot >= latest_.size()) latest_.resize(warp_slot + 1);
    answer& latest = latest_[warp_slot];
    const std::uint64_t changes = cache.changes(warp_slot);
    if (latest.code != &code || latest.cache_changes != changes) {
      instruction_plans& plans = plans_of(code, cache, latest.plans);
      latest = {&code, changes, &plans, &find(plans, warp_slot, cache)};
    }
    return *latest.plan;
  }

  /// A warp starts. If it is of another kernel than the last one, instructions may be gone, and others in their place; their plans are kept
  /// for as long as some are `in_use`.
  void launch(const warp_context& warp, bool in_use);

  /// As after construction; nothing is in use.
  void reset();

 private:
  /// The plans of an instruction in warps whose registers begin in the same bank.
  struct planned {
    std::vector<reuse_entry> cacheable;                                                  ///< operands that the reuse cache could have
    std::vector<std::pair<std::uint32_t, std::unique_ptr<const operand_plan>>> by_hits;  ///< a bit for each of them that it has
  };
  struct instruction_plans {
    const isa::instruction* code = nullptr;
    std::vector<planned> by_first_bank;
    instruction_plans* next = nullptr;  ///< of the instruction that came after it last time; most often it does so again
  };
  using plan_table = std::unordered_map<const isa::instruction*, instruction_plans>;

  /// What a warp asked for last: the same again, from the scheduler's first question to the issue.
  struct answer {
    const isa::instruction* code = nullptr;
    std::uint64_t cache_changes = 0;  ///< of the reuse cache, when it was given
    instruction_plans* plans = nullptr;
    const operand_plan* plan = nullptr;
  };

  instruction_plans& plans_of(const isa::instruction& code, const reuse_cache& cache, instruction_plans* before);
  const operand_plan& find(instruction_plans& plans, unsigned warp_slot, const reuse_cache& cache);

  const register_mapping& mapping_;
  plan_table plans_;
  std::vector<plan_table> former_;  ///< of kernels before, which may be in use
  std::vector<answer> latest_;      ///< by warp slot
  std::uint32_t kernel_ = 0;        ///< of the last warp that started
};

}  // namespace tc::subcore
