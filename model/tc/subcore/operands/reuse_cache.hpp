// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <tc/config/sub_core_parameters.hpp>
#include <tc/warp/lane_vector.hpp>

namespace tc::subcore {

/// The reuse (register file) cache of a sub-core: one entry for each operand slot and bank (Huerta et al., arXiv 2503.20481,
/// section 5.3.1).
///
/// An instruction that reads an operand with its reuse flag set leaves it in the entry of its slot and bank. The next instruction of the
/// same warp that names the same register in the same slot takes it from there. Any instruction that uses the slot and bank and does not
/// set the flag empties the entry, hit or miss; so does an instruction of another warp, and a write to the register.
///
/// Tags change in issue order, when ports are reserved; values follow in the same order, when operands are read.
class reuse_cache {
 public:
  reuse_cache(const config::reuse_cache_parameters& parameters, unsigned banks);

  /// Tag look-up at issue, before the entry changes.
  bool holds(unsigned slot, unsigned bank, unsigned warp_slot, unsigned index) const {
    if (!has_slot(slot)) return false;
    const tag& entry = tags_[slot * banks_ + bank];
    return entry.valid && entry.warp_slot == warp_slot && entry.index == index;
  }

  /// The instruction being issued uses the slot and bank for a register, with or without its reuse flag.
  void use(unsigned slot, unsigned bank, unsigned warp_slot, unsigned index, bool reuse) {
    if (!has_slot(slot)) return;
    tag& entry = tags_[slot * banks_ + bank];
    if (entry.valid || reuse) replace(entry, {reuse, warp_slot, index});
  }

  /// An instruction of the warp issues: entries of other warps are lost.
  void switch_to(unsigned warp_slot);

  /// A new warp starts in the slot: it finds no entries.
  void forget(unsigned warp_slot);

  /// As after construction.
  void reset();

  /// The register gets a new value.
  void written(unsigned warp_slot, unsigned index);

  /// The same of all warps.
  std::uint64_t changes() const { return all_changes_; }

  /// Grows when an entry of the warp comes, goes or changes. What was found out of the cache for a warp holds as long as this number does.
  std::uint64_t changes(unsigned warp_slot) const { return warp_slot < changes_.size() ? changes_[warp_slot] : 0; }

  /// The value of an entry, between dispatches.
  warp::lane_vector& value(unsigned slot, unsigned bank) { return values_[slot * banks_ + bank]; }

  /// No warp has an entry.
  bool is_empty() const { return entries_ == 0; }

  bool has_slot(unsigned slot) const { return slot < slots_; }

 private:
  struct tag {
    bool valid = false;
    std::uint32_t warp_slot = 0;
    std::uint32_t index = 0;
  };

  void replace(tag& entry, const tag& next);
  void drop(tag& entry) { replace(entry, {}); }
  void note_change(unsigned warp_slot);

  unsigned slots_, banks_;
  std::uint64_t all_changes_ = 0;
  std::vector<std::uint64_t> changes_;  ///< by warp slot
  std::vector<tag> tags_;
  unsigned entries_ = 0;  ///< tags that are valid
  std::vector<warp::lane_vector> values_;
};

}  // namespace tc::subcore
