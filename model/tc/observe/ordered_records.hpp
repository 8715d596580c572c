// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <utility>
#include <vector>

#include <boost/container/static_vector.hpp>
#include <boost/unordered/unordered_flat_map.hpp>

#include <tc/fabric/clock_domain.hpp>
#include <tc/fabric/record.hpp>
#include <tc/observe/event_calendar.hpp>
#include <tc/observe/window.hpp>

namespace tc::observe {

/// A record, kept from when its begin is told until it has ended and so has everything below it.
struct kept_record {
  static constexpr fabric::cycle_t not_yet = std::numeric_limits<fabric::cycle_t>::max();

  const fabric::record_stream* stream = nullptr;
  std::uint64_t id = 0;
  fabric::cycle_t begin = 0;
  fabric::cycle_t end = not_yet;
  kept_record* parent = nullptr;
  kept_record* instruction = nullptr;  ///< itself or the nearest one above it; null: it belongs to none
  bool in_window = true;               ///< of an instruction: it is one of the window
  std::size_t slot = 0;                ///< less than slots() of its listener; used again once the record is gone
  unsigned holders = 0;                ///< itself until it has ended, and the records directly below it
  kept_record* next_begin = nullptr;   ///< that begins in the same cycle and was told next
  kept_record* next_end = nullptr;     ///< the same of the end
  boost::container::static_vector<fabric::record_value, fabric::record_type::max_attributes> values;
};

/// Finds kept records by their ids. Most live as long as the next few thousand ids are given, and are found at the first place looked at.
class kept_record_index {
 public:
  void add(kept_record& record) {
    kept_record*& place = recent_[record.id % recent];
    if (place != nullptr) old_.emplace(place->id, place);
    place = &record;
  }
  /// Null: there is none.
  kept_record* find(std::uint64_t id) const {
    kept_record* const place = recent_[id % recent];
    if (place != nullptr && place->id == id) return place;
    const auto found = old_.find(id);
    return found == old_.end() ? nullptr : found->second;
  }
  void remove(const kept_record& record) {
    kept_record*& place = recent_[record.id % recent];
    if (place == &record)
      place = nullptr;
    else
      old_.erase(record.id);
  }
  template <typename Visit>
  void visit(Visit&& visitor) const {
    for (kept_record* record : recent_)
      if (record != nullptr) visitor(record);
    for (const auto& entry : old_) visitor(entry.second);
  }

 private:
  static constexpr std::size_t recent = 4096;

  std::array<kept_record*, recent> recent_{};
  boost::unordered_flat_map<std::uint64_t, kept_record*> old_;  // whose place another one has taken
};

/// Instructions that have retired and are remembered as the producers of values; those before them are forgotten.
inline constexpr std::size_t remembered_producers = std::size_t{1} << 16;

/// A listener that gets records in the order of their cycles, though they are told in another, and knows what they belong to. In a cycle
/// it hears of the ends first, then of the begins, each in the order in which they were told. Takes memory for what is open and what is
/// yet to come.
class ordered_records : public fabric::record_listener {
 public:
  ordered_records(const fabric::clock_domain& clock, const record_window& window);

  void write(const fabric::record_event& event) final;

 protected:
  /// Asked once for each stream; the records of the others are passed over.
  virtual bool takes(const fabric::record_stream& stream) = 0;
  virtual void begins(kept_record& record) = 0;
  virtual void ends(kept_record& record) = 0;
  /// Instead of both, for a record that takes no time.
  virtual void passes(kept_record& record) = 0;
  /// All that begins and ends in a cycle has been told; not called for cycles in which nothing does.
  virtual void cycle_is_over(fabric::cycle_t cycle) = 0;

  /// Hears of everything that has been told, also of what is to come.
  void hear_all();
  /// What is open after that, in the order of the begins.
  std::vector<kept_record*> left_open() const;

  /// The record of an id, from when it is told until it has ended.
  const kept_record* find(std::uint64_t id) const { return by_id_.find(id); }
  /// Whether a record that ends now, and began then, is in the window.
  bool is_inside(const kept_record& record, fabric::cycle_t begin) const {
    return progress_.of_instructions() && record.instruction != nullptr ? record.instruction->in_window
                                                                        : progress_.covers(begin, record.end);
  }
  const window_progress& window() const { return progress_; }
  /// After hear_all(): the last cycle.
  fabric::cycle_t now() const { return heard_; }
  std::size_t slots() const { return kept_.size(); }

 private:
  enum class stream_kind : std::uint8_t { unseen, passed_over, instruction, other };
  /// Records in a list through a member of theirs: a vector for each cycle would fill the caches.
  template <kept_record* kept_record::*Next>
  struct list {
    kept_record* first = nullptr;
    kept_record* last = nullptr;

    void add(kept_record& record) {
      record.*Next = nullptr;
      (last != nullptr ? last->*Next : first) = &record;
      last = &record;
    }
  };
  struct moment {
    list<&kept_record::next_end> ends;
    list<&kept_record::next_begin> begins;

    bool empty() const { return ends.first == nullptr && begins.first == nullptr; }
    void clear() { *this = {}; }
  };

  stream_kind kind_of(const fabric::record_stream& stream);
  void begin_told(const fabric::record_event& event);
  void end_told(const fabric::record_event& event);
  kept_record& keep(const fabric::record_event& event);
  void release(kept_record* record);
  void count_end(const kept_record& record);
  void forget(kept_record& record);
  void hear(fabric::cycle_t cycle, const moment& what);

  const fabric::clock_domain& clock_;
  window_progress progress_;
  std::vector<stream_kind> kinds_;  // by the number of the stream
  std::deque<kept_record> kept_;
  std::vector<kept_record*> free_;
  kept_record_index by_id_;
  event_calendar<moment> calendar_;
  fabric::cycle_t heard_ = 0;  // everything before it
};

}  // namespace tc::observe
