// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace tc::tmem {

/// The rule that an operation of a CTA breaks (PTX ISA, tcgen05.alloc, dealloc and relinquish_alloc_permit).
enum class allocation_mistake : std::uint8_t {
  none,
  bad_size,       ///< columns are a power of two from 32 to the columns of the memory
  growing,        ///< an allocation may not be larger than the CTA's one before
  relinquished,   ///< no allocation after relinquish_alloc_permit
  not_allocated,  ///< dealloc names columns that no allocation of the CTA has returned, or that it has given back
  not_returned,   ///< the CTA ends with columns
};

/// What is wrong, in words for a report; empty if nothing is.
const char* describe(allocation_mistake mistake);

/// Columns of tensor memory for CTAs, in slots of 32 columns and all lanes. An allocation takes the lowest free run that starts at a
/// multiple of its size. While there is none the request waits; whenever columns come back, the requests that wait are tried in the order
/// of their arrival. One that does not fit holds up none behind it: hardware has no queue, every warp tries again until it finds a run
/// (measured on a B200, public SASS documentation project).
class column_allocator {
 public:
  using cta_id = std::uint64_t;

  static constexpr unsigned slot_columns = 32;

  /// Columns that a CTA gets.
  struct grant {
    cta_id cta = 0;
    unsigned first = 0, columns = 0;
  };

  /// Answer to an allocation. Without a mistake and without `first` the request waits, and a later release grants it.
  struct allocation {
    allocation_mistake mistake = allocation_mistake::none;
    std::optional<unsigned> first{};

    bool waits() const { return mistake == allocation_mistake::none && !first; }
  };

  /// Answer to what may give columns back: the requests that had waited for them, in their order.
  struct release {
    allocation_mistake mistake = allocation_mistake::none;
    std::vector<grant> granted{};
  };

  /// A memory of this many columns, a multiple of 32 up to 512.
  explicit column_allocator(unsigned columns);

  /// tcgen05.alloc. What breaks a rule changes nothing.
  allocation allocate(cta_id cta, unsigned columns);

  /// tcgen05.dealloc. What breaks a rule changes nothing.
  release deallocate(cta_id cta, unsigned first, unsigned columns);

  /// tcgen05.relinquish_alloc_permit. A request of the CTA that waits goes on waiting.
  void relinquish(cta_id cta);

  /// The end of a CTA, which another may follow with its number. Columns that it has are a mistake and come back, so that a run can go on;
  /// requests that wait are forgotten.
  release end(cta_id cta);

  unsigned free_columns() const;
  std::size_t waiting() const { return waiting_.size(); }

 private:
  struct request {
    cta_id cta;
    unsigned columns;
  };
  struct owner {
    std::vector<grant> allocations;
    std::optional<unsigned> last_columns;  // of its allocation before, granted or not
    bool relinquished = false;
  };

  allocation_mistake mistake_in(cta_id cta, unsigned columns) const;
  std::optional<unsigned> take(cta_id cta, unsigned columns);
  void set(unsigned first, unsigned columns, bool taken);
  std::vector<grant> grant_waiting();

  std::vector<bool> taken_;  // by slot
  std::map<cta_id, owner> owners_;
  std::vector<request> waiting_;
};

}  // namespace tc::tmem
