#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include <tc/isa/mma_operation.hpp>

namespace tc::subcore {

/// Whether two operations agree in everything.
inline bool is_same(const isa::mma_operation& x, const isa::mma_operation& y) {
  return x.m == y.m && x.n == y.n && x.k == y.k && x.a == y.a && x.b == y.b && x.c == y.c && x.d == y.d && x.saturate == y.saturate &&
         x.combine == y.combine && x.a_column == y.a_column && x.b_column == y.b_column && x.step == y.step && x.steps == y.steps &&
         x.instances == y.instances;
}

/// What a unit derives once from each matrix operation it meets. Kernels use few, mostly the same one again.
template <class Derived>
class mma_table {
 public:
  using maker = std::function<Derived(const isa::mma_operation&)>;

  explicit mma_table(maker make) : make_(std::move(make)) {}

  /// The entry of an operation, made at its first use; it stays where it is. Throws what the maker throws.
  const Derived& of(const isa::mma_operation& mma) {
    if (latest_ == nullptr || !is_same(latest_->mma, mma)) latest_ = &find(mma);
    return latest_->derived;
  }

 private:
  struct entry {
    isa::mma_operation mma;
    Derived derived;
  };

  const entry& find(const isa::mma_operation& mma) {
    const auto found = std::find_if(entries_.begin(), entries_.end(), [&mma](const auto& e) { return is_same(e->mma, mma); });
    if (found != entries_.end()) return **found;
    return *entries_.emplace_back(std::make_unique<entry>(entry{mma, make_(mma)}));
  }

  maker make_;
  std::vector<std::unique_ptr<const entry>> entries_;
  const entry* latest_ = nullptr;
};

}  // namespace tc::subcore
