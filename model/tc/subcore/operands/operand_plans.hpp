// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include <tc/isa/instruction.hpp>
#include <tc/subcore/operands/operand_plan.hpp>
#include <tc/subcore/operands/register_file.hpp>
#include <tc/subcore/operands/reuse_cache.hpp>
#include <tc/warp/warp_context.hpp>

namespace tc::subcore {

/// The operand plans of the kernels that run, for all sub-cores of a machine: what is the same for many is kept, and cached, once.
class shared_operand_plans {
 public:
  struct made_plan {
    std::uint32_t hits;  ///< a bit for each of its cacheable operands that the reuse cache has
    operand_plan plan;
  };
  /// The plans of an instruction in warps whose registers begin in the same bank.
  struct planned {
    std::vector<reuse_entry> cacheable;  ///< operands that the reuse cache could have
    std::vector<std::unique_ptr<made_plan>> by_hits;
  };
  using plan_table = std::unordered_map<const isa::instruction*, std::vector<planned>>;  ///< by the bank

  /// Those of a kernel, by its number in the run. They are there as long as a sub-core has them.
  std::shared_ptr<plan_table> of(std::uint32_t kernel);

  /// A number, from 0 on, for the matrix instructions of one operation whose plans read as many registers from each bank.
  std::uint16_t kind_of(const isa::mma_operation& operation, const operand_plan::bank_counts& reads);

 private:
  struct matrix_kind {
    isa::mma_operation operation;
    operand_plan::bank_counts reads;
  };
  std::vector<matrix_kind> kinds_;
  std::unordered_map<std::uint32_t, std::weak_ptr<plan_table>> by_kernel_;
};

/// The operand plans of the instructions that a sub-core executes, each made once. A plan follows from the instruction, from the bank in
/// which the registers of the warp begin, and from which of its operands the reuse cache has.
class operand_plans {
 public:
  /// Shares them with sub-cores whose mapping, late operands and reuse caches are the same; null: with none.
  explicit operand_plans(const register_mapping& mapping, const links::late_operands& late = {},
                         std::shared_ptr<shared_operand_plans> shared = nullptr);

  /// The plan of an instruction with the reuse cache as it is. It stays where it is while it is in use, see launch().
  const operand_plan& of(const isa::instruction& code, unsigned warp_slot, const reuse_cache& cache) {
    if (warp_slot >= latest_.size()) latest_.resize(warp_slot + 1);
    answer& latest = latest_[warp_slot];
    const std::uint64_t changes = cache.changes(warp_slot);
    if (latest.code != &code || latest.cache_changes != changes) latest = {&code, changes, &find(code, warp_slot, cache)};
    return latest.made->plan;
  }

  /// A warp starts. If it is of another kernel than the last one, instructions may be gone, and others in their place: no plan may be in
  /// use then.
  void launch(const warp::warp_context& warp);
  /// Whether the plans are those of this kernel.
  bool are_of(std::uint32_t kernel) const { return kernel == kernel_; }

  /// As after construction; nothing is in use.
  void reset();

 private:
  using planned = shared_operand_plans::planned;
  using made_plan = shared_operand_plans::made_plan;
  using plan_table = shared_operand_plans::plan_table;

  /// What a warp asked for last: the same again, from the scheduler's first question to the issue.
  struct answer {
    const isa::instruction* code = nullptr;
    std::uint64_t cache_changes = 0;  ///< of the reuse cache, when it was given
    made_plan* made = nullptr;
  };

  made_plan& find(const isa::instruction& code, unsigned warp_slot, const reuse_cache& cache);

  const register_mapping& mapping_;
  const links::late_operands late_;
  const std::shared_ptr<shared_operand_plans> shared_;
  std::shared_ptr<plan_table> plans_;  ///< of the kernel; null before the first question
  std::vector<answer> latest_;         ///< by warp slot
  std::uint32_t kernel_ = 0;           ///< of the last warp that started
};

}  // namespace tc::subcore
