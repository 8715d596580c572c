#pragma once

#include <cstdint>
#include <vector>

#include <tc/fabric/clocked.hpp>

namespace tc::memory {

using fabric::cycle_t;

/// Who uses the banks when: one wavefront at a time over all ports, each for a fixed number of cycles. Announced accesses take all their
/// wavefronts in a row, in the order of arrival and, in one cycle, of port numbers; it does not matter in which order the calls of a cycle
/// come. Without an announcement the order of calls decides among those that arrive in the same cycle.
class wavefront_schedule {
 public:
  explicit wavefront_schedule(unsigned wavefront_cycles) : wavefront_cycles_(wavefront_cycles) {}

  /// An access of `count` wavefronts that will arrive in a later cycle. Accesses of a port are numbered in ascending order.
  void announce(unsigned port, std::uint64_t access, cycle_t arrival, unsigned count);

  /// The end of wavefront `index` of an access, the first cycle in which its data are there; reserves it
  /// if it was not announced, or if its transactions come after its turn.
  cycle_t end_of(unsigned port, std::uint64_t access, unsigned index, cycle_t arrival);

  /// The end of a wavefront that belongs to no announced access.
  cycle_t reserve(cycle_t arrival);

  void reset();

 private:
  struct request {
    cycle_t arrival;
    unsigned port;
    std::uint64_t access;
    unsigned count;
  };
  struct reservation {
    std::uint64_t access = 0;
    cycle_t start = 0;
    unsigned count = 0;
  };

  void settle(cycle_t arrival);
  std::vector<reservation>& reservations_of(unsigned port);

  unsigned wavefront_cycles_;
  cycle_t free_ = 0;                                    // first cycle in which the banks are free
  std::vector<request> announced_;                      // not yet given a place
  std::vector<std::vector<reservation>> reservations_;  // by port, in the order of their accesses
};

}  // namespace tc::memory
