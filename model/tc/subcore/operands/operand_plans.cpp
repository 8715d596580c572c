// SPDX-License-Identifier: Apache-2.0
#include "operand_plans.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include <systemc>

#include <tc/links/mma_table.hpp>

namespace tc::subcore {

std::shared_ptr<shared_operand_plans::plan_table> shared_operand_plans::of(std::uint32_t kernel) {
  for (auto each = by_kernel_.begin(); each != by_kernel_.end();) each = each->second.expired() ? by_kernel_.erase(each) : std::next(each);
  std::weak_ptr<plan_table>& known = by_kernel_[kernel];
  std::shared_ptr<plan_table> plans = known.lock();
  if (plans == nullptr) known = plans = std::make_shared<plan_table>();
  return plans;
}

std::uint16_t shared_operand_plans::kind_of(const isa::mma_operation& operation, const operand_plan::bank_counts& reads) {
  const auto is_it = [&](const matrix_kind& kind) { return links::is_same(kind.operation, operation) && kind.reads == reads; };
  const auto found = std::find_if(kinds_.begin(), kinds_.end(), is_it);
  const auto number = static_cast<std::uint16_t>(found - kinds_.begin());
  if (found == kinds_.end()) kinds_.push_back({operation, reads});
  return number;
}

operand_plans::operand_plans(const register_mapping& mapping, const links::late_operands& late,
                             std::shared_ptr<shared_operand_plans> shared)
    : mapping_(mapping), late_(late), shared_(shared != nullptr ? std::move(shared) : std::make_shared<shared_operand_plans>()) {}

operand_plans::made_plan& operand_plans::find(const isa::instruction& code, unsigned warp_slot, const reuse_cache& cache) {
  const unsigned first_bank = mapping_.bank(warp_slot, 0);
  if (plans_ == nullptr) plans_ = shared_->of(kernel_);
  std::vector<planned>& by_first_bank = (*plans_)[&code];
  if (by_first_bank.empty()) {
    by_first_bank.resize(mapping_.banks());
    for (unsigned bank = 0; bank < mapping_.banks(); ++bank)
      by_first_bank[bank].cacheable = cacheable_operands(code, bank, mapping_, cache);
  }
  planned& plans = by_first_bank[first_bank];
  sc_assert(plans.cacheable.size() <= 32);  // bits of the hits; the operands of the largest instruction have as many registers
  std::uint32_t hits = 0;
  if (!cache.is_empty())
    for (std::size_t i = 0; i < plans.cacheable.size(); ++i) {
      const reuse_entry& entry = plans.cacheable[i];
      if (cache.holds(entry.slot, entry.bank, warp_slot, entry.index)) hits |= std::uint32_t{1} << i;
    }
  const auto known = std::find_if(plans.by_hits.begin(), plans.by_hits.end(), [hits](const auto& made) { return made->hits == hits; });
  if (known != plans.by_hits.end()) return **known;
  operand_plan plan = plan_operands(code, first_bank, mapping_, late_, cache, hits);
  if (isa::is_mma(code.op)) plan.kind = shared_->kind_of(*code.mma, plan.registers_of_bank);
  return *plans.by_hits.emplace_back(std::make_unique<made_plan>(made_plan{hits, plan}));
}

void operand_plans::launch(const warp::warp_context& warp) {
  if (warp.slot < latest_.size()) latest_[warp.slot] = {};
  if (are_of(warp.kernel)) return;
  reset();
  kernel_ = warp.kernel;
}

void operand_plans::reset() {
  plans_ = nullptr;
  std::fill(latest_.begin(), latest_.end(), answer{});
  kernel_ = 0;
}

}  // namespace tc::subcore
