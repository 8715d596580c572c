// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include <tc/isa/mma_operation.hpp>

namespace tc::links {

/// Whether two operations agree in everything. Asked several times for each instruction, so it compares words of their bytes, the last of
/// which overlaps the one before.
inline bool is_same(const isa::mma_operation& x, const isa::mma_operation& y) {
  constexpr std::size_t bytes = offsetof(isa::mma_operation, instances) + sizeof x.instances;
  static_assert(bytes == 3 * sizeof x.m + 11, "members with a gap between them");
  static_assert(bytes > 2 * sizeof(std::uint64_t) && bytes <= 3 * sizeof(std::uint64_t));
  const auto word = [](const isa::mma_operation& mma, std::size_t at) {
    std::uint64_t value;
    std::memcpy(&value, reinterpret_cast<const unsigned char*>(&mma) + at, sizeof value);
    return value;
  };
  const auto differ = [&](std::size_t at) { return word(x, at) ^ word(y, at); };
  return (differ(0) | differ(sizeof(std::uint64_t)) | differ(bytes - sizeof(std::uint64_t))) == 0;
}

/// What a unit derives once from each matrix operation it meets. Kernels use few, in turn.
template <class Derived>
class mma_table {
 public:
  using maker = std::function<Derived(const isa::mma_operation&)>;

  explicit mma_table(maker make) : make_(std::move(make)) {}

  /// The entry of an operation, made at its first use; it stays where it is. Throws what the maker throws.
  Derived& of(const isa::mma_operation& mma) {
    entry*& recent = recent_[place_of(mma)];
    if (recent == nullptr || !is_same(recent->mma, mma)) recent = &find(mma);
    return recent->derived;
  }

  /// Calls `visit(derived)` for every operation, in the order in which they were first used.
  template <class Visit>
  void for_each(const Visit& visit) {
    for (const auto& known : entries_) visit(known->derived);
  }
  template <class Visit>
  void for_each(const Visit& visit) const {
    for (const auto& known : entries_) visit(std::as_const(known->derived));
  }

 private:
  struct entry {
    isa::mma_operation mma;
    Derived derived;
  };

  static constexpr std::size_t recent_places = 16;

  /// Where an operation is looked for first. Those that follow each other, as the steps of HMMA.884 do, have places of their own.
  static std::size_t place_of(const isa::mma_operation& mma) { return (mma.k / 4u + mma.step) % recent_places; }

  [[gnu::noinline]] entry& find(const isa::mma_operation& mma) {
    const auto found = std::find_if(entries_.begin(), entries_.end(), [&mma](const auto& e) { return is_same(e->mma, mma); });
    if (found != entries_.end()) return **found;
    return *entries_.emplace_back(std::make_unique<entry>(entry{mma, make_(mma)}));
  }

  maker make_;
  std::vector<std::unique_ptr<entry>> entries_;
  std::array<entry*, recent_places> recent_{};
};

}  // namespace tc::links
