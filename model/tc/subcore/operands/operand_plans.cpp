#include "operand_plans.hpp"

#include <algorithm>
#include <utility>

#include <systemc>

namespace tc::subcore {

operand_plans::instruction_plans& operand_plans::plans_of(const isa::instruction& code, const reuse_cache& cache,
                                                          instruction_plans* before) {
  if (before != nullptr && before->next != nullptr && before->next->code == &code) return *before->next;
  instruction_plans& plans = plans_[&code];
  if (plans.code == nullptr) {
    plans.code = &code;
    plans.by_first_bank.resize(mapping_.banks());
    for (unsigned bank = 0; bank < mapping_.banks(); ++bank)
      plans.by_first_bank[bank].cacheable = cacheable_operands(code, bank, mapping_, cache);
  }
  if (before != nullptr) before->next = &plans;
  return plans;
}

const operand_plan& operand_plans::find(instruction_plans& found, unsigned warp_slot, const reuse_cache& cache) {
  const unsigned first_bank = mapping_.bank(warp_slot, 0);
  planned& plans = found.by_first_bank[first_bank];
  sc_assert(plans.cacheable.size() <= 32);  // bits of the hits; the operands of the largest instruction have as many registers
  std::uint32_t hits = 0;
  if (!cache.is_empty())
    for (std::size_t i = 0; i < plans.cacheable.size(); ++i) {
      const reuse_entry& entry = plans.cacheable[i];
      if (cache.holds(entry.slot, entry.bank, warp_slot, entry.index)) hits |= std::uint32_t{1} << i;
    }
  const auto known = std::find_if(plans.by_hits.begin(), plans.by_hits.end(), [hits](const auto& plan) { return plan.first == hits; });
  if (known != plans.by_hits.end()) return *known->second;
  auto made = std::make_unique<const operand_plan>(plan_operands(*found.code, first_bank, mapping_, cache, hits));
  return *plans.by_hits.emplace_back(hits, std::move(made)).second;
}

void operand_plans::launch(const warp_context& warp, bool in_use) {
  if (warp.slot < latest_.size()) latest_[warp.slot] = {};
  if (warp.kernel == kernel_) return;
  kernel_ = warp.kernel;
  std::fill(latest_.begin(), latest_.end(), answer{});
  former_.push_back(std::exchange(plans_, {}));
  if (!in_use) former_.clear();
}

void operand_plans::reset() {
  plans_.clear();
  former_.clear();
  std::fill(latest_.begin(), latest_.end(), answer{});
  kernel_ = 0;
}

}  // namespace tc::subcore
