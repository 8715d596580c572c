// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <queue>
#include <random>
#include <utility>
#include <vector>

#include <systemc>

#include <tc/fabric/clocked.hpp>
#include <tc/fabric/local_time.hpp>

namespace tc::fabric {

/// So many sets of small numbers. The numbers of a set are visited in ascending order. Entering one takes the same time however many there
/// are; visiting them costs next to nothing for those that are not there.
template <std::size_t Sets>
class unit_sets {
 public:
  /// From now on the numbers below this one, which is not below that of the last call, can be entered.
  void make_room(std::size_t end) {
    const std::size_t words = (end + bits - 1) / bits;
    words_.resize(words * Sets);
    filled_.resize((words + bits - 1) / bits * Sets);
  }

  void insert(std::size_t set, std::size_t id) {
    const std::size_t word = id / bits;
    sc_assert(set < Sets && word * Sets < words_.size());
    words_[word * Sets + set] |= std::uint64_t{1} << id % bits;
    filled_[word / bits * Sets + set] |= std::uint64_t{1} << word % bits;
  }

  /// Whether `is_wanted(id)` holds for one of a set.
  template <class Predicate>
  bool any_of(std::size_t set, const Predicate& is_wanted) const {
    for (std::size_t part = 0; part < filled_.size() / Sets; ++part)
      for (std::uint64_t filled = filled_[part * Sets + set]; filled != 0; filled &= filled - 1) {
        const std::size_t word = part * bits + first_of(filled);
        for (std::uint64_t left = words_[word * Sets + set]; left != 0; left &= left - 1)
          if (is_wanted(word * bits + first_of(left))) return true;
      }
    return false;
  }

  /// Removes all of a set, and calls `visit(id)` for each, which enters none.
  template <class Visit>
  void take_all(std::size_t set, const Visit& visit) {
    any_of(set, [&](std::size_t id) { return visit(id), false; });
    clear(set);
  }

  void clear(std::size_t set) {
    for (std::size_t part = 0; part < filled_.size() / Sets; ++part) {
      std::uint64_t& filled = filled_[part * Sets + set];
      for (; filled != 0; filled &= filled - 1) words_[(part * bits + first_of(filled)) * Sets + set] = 0;
    }
  }
  void clear() {
    for (std::size_t set = 0; set < Sets; ++set) clear(set);
  }

 private:
  static constexpr std::size_t bits = 64;
  static std::size_t first_of(std::uint64_t word) { return static_cast<std::size_t>(__builtin_ctzll(word)); }

  std::vector<std::uint64_t> words_;   ///< a bit for each number: the first word of each set, then the second ones
  std::vector<std::uint64_t> filled_;  ///< likewise a bit for each of these words that is not zero
};

/// A clock that does not toggle: it owns a period and one event, and runs only the edges some unit has asked for. Simulation time is
/// spent in proportion to the work, not to the cycles; an idle domain costs nothing.
///
/// A unit has at most one wake-up pending, the earliest asked for. When woken it looks at everything it has to do and asks again for what
/// remains. A unit that waits for another is woken by it; no unit polls. In which order the units of an edge evaluate is said at clocked.
///
/// The domain is one SystemC process, and temporally decoupled (TLM-2.0, IEEE 1666-2011, section 12.1): it runs edge after edge while
/// SystemC's time stands still. Its quantum is the time to whatever SystemC has to do next, and it ends at run_ahead_until(), so that no
/// other process ever finds it ahead of its own time.
class clock_domain final : public sc_core::sc_module {
 public:
  SC_HAS_PROCESS(clock_domain);

  /// A clock of the given period. sc_time has already rounded it to the time resolution; a period of zero is reported as an error.
  clock_domain(const sc_core::sc_module_name& name, const sc_core::sc_time& period);
  ~clock_domain() override;

  /// The same from a number, e.g. (0.5, SC_NS): reports an error if it is not a whole multiple of the time resolution, because every
  /// edge would then drift from where it should be.
  clock_domain(const sc_core::sc_module_name& name, double period, sc_core::sc_time_unit unit);

  /// Registers a unit once, during elaboration, in a stage of the edge; returns the id to wake it with. The unit must outlive the domain's
  /// last edge.
  std::size_t add(clocked& unit, unsigned stage = 0);

  /// For tests of the rule that the order within a stage does not matter: domains that are made from now on draw it anew for each edge.
  static void shuffle_stages(std::uint32_t seed) { shuffle_seed_ = seed; }

  const sc_core::sc_time& period() const { return period_; }

  /// The running cycle: the latest edge at or before now. Costs a division only when no edge is running.
  cycle_t cycle() const { return in_edge_ ? first_ - 1 : local_time::now().value() / period_.value(); }

  /// When an edge is (absolute), and how long until then. An edge that has passed is a mistake of the caller.
  sc_core::sc_time time_of(cycle_t cycle) const { return sc_core::sc_time::from_value(cycle * period_.value()); }
  /// The cycle whose edge is at a time, or the last one before it.
  cycle_t cycle_of(const sc_core::sc_time& time) const { return time.value() / period_.value(); }
  sc_core::sc_time delay_to(cycle_t cycle) const {
    if (in_edge_ && cycle - (first_ - 1) < near) return near_delays_[cycle - (first_ - 1)];
    const sc_core::sc_time edge = time_of(cycle);
    sc_assert(edge >= local_time::now());
    return edge - local_time::now();
  }

  /// The cycle in which something arrives that is announced now with a delay; 0 is the running cycle. Unlike edge_at() it may name an edge
  /// that is already running: for deliveries that a unit settles in the call itself.
  cycle_t arrival(const sc_core::sc_time& delay) const { return delay == sc_core::SC_ZERO_TIME ? cycle() : first_from(delay); }

  /// The edge that sees what arrives after `delay`: the first at or after now + delay whose evaluation has not begun.
  cycle_t edge_at(const sc_core::sc_time& delay) const { return std::max(first_from(delay), first_); }

  /// Runs the unit at `cycle`, unless it is already due at that cycle or earlier. Within an edge only later cycles can be asked for;
  /// outside, anything from edge_at(SC_ZERO_TIME) on. A caller outside this domain (test bench, another domain, a co-simulated block) uses
  /// edge_at(delay) with a delay above zero, so that edges which coincide do not depend on which of them runs first.
  void wake(std::size_t id, cycle_t cycle) {
    sc_assert(cycle >= first_);
    if (cycle < units_[id].due) wake_earlier(id, cycle);
  }

  /// Before this cycle, edges that follow each other may run without SystemC in between, as long as it has nothing else to do up to the
  /// next: its time then stands still, and local_time tells the time. For who runs SystemC up to that cycle and knows that nobody but units
  /// of the model, which ask local_time, looks at the time meanwhile; nothing that is traced by sc_trace either. 0: not any more.
  void run_ahead_until(cycle_t cycle) { ahead_until_ = cycle; }

  /// The listener that is told, behind an edge, that no unit is due: nothing more happens here until wake() is called from outside. One at
  /// most.
  void on_rest(std::function<void()> told) { rests_ = std::move(told); }

  /// True, between edges, if no unit is due: nothing will happen until somebody outside calls wake().
  bool idle() const { return near_cycles_ == 0 && later_.empty(); }

  /// Number of edges run so far: a measure of activity, not of time.
  cycle_t edges() const { return edges_; }

  /// Forgets every pending wake-up. Time, and with it cycle(), goes on. Not from within an edge.
  void reset();

 private:
  static constexpr cycle_t never = ~cycle_t{0};
  static constexpr unsigned near = 64;  ///< cycles from the next edge on whose wake-ups need no heap

  struct slot {
    clocked* unit;
    unsigned stage;
    cycle_t due = never;    // the only wake-up that counts; queue entries with another cycle are stale
    std::size_t place = 0;  // in the order of an edge
  };
  using entry = std::pair<cycle_t, std::size_t>;  // cycle, id of the unit
  using wake_queue = std::priority_queue<entry, std::vector<entry>, std::greater<entry>>;

  /// The first edge that is not before now + delay.
  cycle_t first_from(const sc_core::sc_time& delay) const {
    if (in_edge_) return first_ - 1 + periods(delay.value());  // an edge runs at its very time
    return periods(local_time::now().value() + delay.value());
  }
  /// Periods that a length of time begins.
  cycle_t periods(sc_dt::uint64 length) const { return (length + period_.value() - 1) / period_.value(); }

  void check_period();
  void wake_earlier(std::size_t id, cycle_t cycle);
  void arm(cycle_t cycle);
  slot& at_place(std::size_t place) { return units_[order_[place]]; }
  bool is_due(std::size_t place, cycle_t cycle) const { return units_[order_[place]].due == cycle; }
  void put_in_order();
  void put_near(const slot& unit);
  void take_due(cycle_t now);
  void shuffle();
  void clear_near(cycle_t cycle);
  cycle_t first_near() const;
  cycle_t next_due();
  void on_edge();
  void run_edge(cycle_t now);
  bool run_ahead();

  sc_core::sc_time period_;
  std::array<sc_core::sc_time, near> near_delays_;  // of so many periods: what delay_to() answers within an edge, most often
  sc_core::sc_event edge_{"edge"};
  std::function<void()> rests_;
  std::vector<slot> units_;         // by id
  std::vector<std::size_t> order_;  // ids by stage, and in each in the order of registration: that of an edge
  bool in_order_ = true;            // every unit has its place
  std::vector<slot*> active_;       // the units of the running edge
  unit_sets<near> near_;            // places, by cycle modulo near: due in [first_, first_ + near)
  std::uint64_t near_cycles_ = 0;   // bit per set of near_ that is not empty
  wake_queue later_;                // due after that
  cycle_t first_ = 0;               // the earliest edge that can still be scheduled
  cycle_t ahead_until_ = 0;
  cycle_t edges_ = 0;
  bool in_edge_ = false;
  static inline std::optional<std::uint32_t> shuffle_seed_;
  std::optional<std::mt19937> shuffler_;  // there in tests only
};

}  // namespace tc::fabric
