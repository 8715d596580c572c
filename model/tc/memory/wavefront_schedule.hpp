// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <systemc>

#include <tc/fabric/clocked.hpp>
#include <tc/fabric/jitter.hpp>

namespace tc::memory {

using fabric::cycle_t;

/// The cycles in which the banks of a shared memory are taken. A wavefront takes them all for a fixed number of cycles; one that comes
/// later may go into a gap that earlier ones left.
class bank_calendar {
 public:
  explicit bank_calendar(unsigned wavefront_cycles) : wavefront_cycles_(wavefront_cycles) {}

  /// Takes the first free cycles for a wavefront from `earliest` on; its first cycle.
  cycle_t take(cycle_t earliest) {
    cycle_t start = next_free(std::max(earliest, past_));
    if (wavefront_cycles_ > 1) start = next_gap(start);
    for (cycle_t cycle = start; cycle < start + wavefront_cycles_; ++cycle) mark(cycle);
    return start;
  }

  /// Nobody gets cycles before this one any more.
  void forget_before(cycle_t cycle);

 private:
  static constexpr unsigned word_cycles = 64;

  std::uint64_t& word_of(cycle_t cycle) { return words_[cycle / word_cycles & last_word_]; }
  bool is_kept(cycle_t cycle) const { return cycle / word_cycles - past_ / word_cycles <= last_word_; }
  /// The first free cycle from one on that is not forgotten.
  cycle_t next_free(cycle_t cycle) {
    for (; is_kept(cycle); cycle = (cycle / word_cycles + 1) * word_cycles) {
      const std::uint64_t free = ~word_of(cycle) >> cycle % word_cycles;
      if (free != 0) return cycle + static_cast<unsigned>(__builtin_ctzll(free));
    }
    return cycle;
  }
  cycle_t next_gap(cycle_t start);
  void mark(cycle_t cycle) {
    if (!is_kept(cycle)) reach(cycle);
    sc_assert(cycle >= past_ && (word_of(cycle) >> cycle % word_cycles & 1U) == 0);
    word_of(cycle) |= std::uint64_t{1} << cycle % word_cycles;
  }
  void reach(cycle_t cycle);

  unsigned wavefront_cycles_;
  cycle_t past_ = 0;  // first cycle not forgotten
  std::size_t last_word_ = 3;
  std::vector<std::uint64_t> words_ = {0, 0, 0, 0};  // a bit for each cycle from there on that may be taken, in a ring; a power of two
};

/// Whose accesses come one after another: a warp, at the port of its sub-core, or the stream of an asynchronous unit.
struct wavefront_source {
  unsigned port = 0;
  unsigned warp = 0;
  unsigned interval = 0;  ///< of a stream: cycles between the arrivals of an access's wavefronts, which keep no other distance

  bool is_stream() const { return interval != 0; }
};

/// Who uses the banks when: one wavefront at a time over all ports, and those of a warp at a distance, so that other warps come in between.
/// Announced accesses get their places in the order of arrival and, in one cycle, of port numbers, unless chance decides; it does not
/// matter in which order the calls of a cycle come. Each wavefront of a stream has an arrival of its own, so that those of warps come in
/// between. Without an announcement the order of calls decides among those that arrive in the same cycle.
class wavefront_schedule {
 public:
  struct timing {
    unsigned wavefront_cycles = 1;       ///< that a wavefront keeps the banks busy
    unsigned warp_wavefront_cycles = 2;  ///< from one wavefront of a warp to its next one, at least
  };

  /// `ties`: draws the order of accesses that arrive in one cycle.
  explicit wavefront_schedule(const timing& cycles, const fabric::jitter& ties = {})
      : cycles_(cycles), ties_(ties), banks_(cycles.wavefront_cycles) {}

  /// An access of `count` wavefronts that will arrive in a later cycle, or of a stream from then on. Accesses of a port are numbered in
  /// ascending order.
  void announce(wavefront_source source, std::uint64_t access, cycle_t arrival, unsigned count);

  /// The end of wavefront `index` of an access, the first cycle in which its data are there; reserves it
  /// if it was not announced, or if its transactions come after its turn. What comes after its turn in a stream went through the banks in
  /// its turn, and ends now.
  cycle_t end_of(wavefront_source source, std::uint64_t access, unsigned index, cycle_t arrival);

  /// The same of all `count` wavefronts of an access that arrive together: the first end and the last.
  struct ends {
    cycle_t first, last;
  };
  ends ends_of(wavefront_source source, std::uint64_t access, unsigned count, cycle_t arrival);

  /// The end of a wavefront that belongs to no announced access.
  cycle_t reserve(wavefront_source source, cycle_t arrival);

  void reset();

 private:
  struct request {
    cycle_t arrival;
    wavefront_source source;
    std::uint64_t access;
    unsigned count;  // wavefronts that have no place
  };
  /// One wavefront of an announced access.
  struct turn {
    std::uint64_t access;
    cycle_t start;
  };
  /// In the order of the accesses.
  class turn_list {
   public:
    /// Behind those of its access.
    void add(const turn& added);
    /// Leaves behind the turns of accesses before one.
    void leave(std::uint64_t access);

    std::size_t size() const { return turns_.size() - first_; }
    const turn& operator[](std::size_t index) const { return turns_[first_ + index]; }

   private:
    std::vector<turn> turns_;
    std::size_t first_ = 0;  // those before it are left behind
  };
  struct port_state {
    turn_list turns;
    std::vector<cycle_t> next;  // by warp: earliest start of its next wavefront
  };

  /// The place of a request among those that arrive in its cycle.
  std::uint64_t rank(const request& each) const;
  void settle(cycle_t arrival);
  void place(request& next);
  const turn_list& begin(unsigned port, std::uint64_t access);
  cycle_t end_of(const turn_list& turns, wavefront_source source, std::uint64_t access, unsigned index, cycle_t arrival);
  cycle_t take(port_state& port, wavefront_source source, cycle_t arrival);
  port_state& state_of(unsigned port) {
    if (port >= ports_.size()) ports_.resize(port + 1);
    return ports_[port];
  }

  timing cycles_;
  fabric::jitter ties_;
  bank_calendar banks_;
  std::vector<request> announced_;  // with wavefronts that have no place
  std::vector<port_state> ports_;
};

}  // namespace tc::memory
