// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <tc/fabric/clocked.hpp>
#include <tc/memory/bank_calendar.hpp>

namespace tc::memory {

/// Whose accesses come one after another: a warp, at the port of its sub-core, or the stream of an asynchronous unit.
struct wavefront_source {
  unsigned port = 0;
  unsigned warp = 0;
  unsigned interval = 0;  ///< of a stream: cycles between the arrivals of an access's wavefronts, which keep no other distance

  bool is_stream() const { return interval != 0; }
};

/// Who uses the banks when: one wavefront at a time over all ports, and those of a warp at a distance, so that other warps come in between.
/// Announced accesses get their places in the order of arrival and, in one cycle, of port numbers; it does not matter in which order the
/// calls of a cycle come. Each wavefront of a stream has an arrival of its own, so that those of warps come in between. Without an
/// announcement the order of calls decides among those that arrive in the same cycle.
class wavefront_schedule {
 public:
  struct timing {
    unsigned wavefront_cycles = 1;       ///< that a wavefront keeps the banks busy
    unsigned warp_wavefront_cycles = 2;  ///< from one wavefront of a warp to its next one, at least
  };

  explicit wavefront_schedule(const timing& cycles) : cycles_(cycles), banks_(cycles.wavefront_cycles) {}

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
  bank_calendar banks_;
  std::vector<request> announced_;  // with wavefronts that have no place
  std::vector<port_state> ports_;
};

}  // namespace tc::memory
