// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include <tc/execution/access_request.hpp>
#include <tc/execution/execution_counts.hpp>
#include <tc/execution/execution_observer.hpp>
#include <tc/execution/memory_spaces.hpp>
#include <tc/execution/module_symbols.hpp>
#include <tc/execution/program.hpp>
#include <tc/execution/warp_state.hpp>
#include <tc/trace/kernel_header.hpp>

namespace tc::execution {

/// What all CTAs of a launch have in common.
struct grid_setting {
  const program& code;
  global_memory& memory;
  execution_counts& counts;
  trace::dim3 grid, block, cluster;
  std::uint64_t shared_bytes = 0;  ///< of a CTA, with what the system reserves
  std::uint64_t local_bytes = 0;   ///< of a thread, below the top of its stack
  std::uint64_t code_address = 0;  ///< of the first instruction
  execution_observer* observer = nullptr;
  const module_symbols* symbols = nullptr;
  bool is_timed = false;  ///< a machine runs the warps, and holds those that have come to a barrier
};

/// Where shared and local memory lie among generic addresses: the driver's choice, and here beyond all that a driver chooses.
inline constexpr std::uint64_t shared_window = std::uint64_t{1} << 52, local_window = std::uint64_t{2} << 52,
                               window_bytes = std::uint64_t{1} << 24;

/// Where the stack of a thread begins in local memory, downwards: what drivers put into constant bank 0 (recorded on a T4). What they keep
/// for themselves lies above it, up to the end of the window.
inline constexpr std::uint32_t stack_top = 0xfffdc0;

/// A CTA that is resident: its warps, its shared and local memory, its barriers.
class cta_state {
 public:
  static constexpr unsigned barriers = 16;

  /// `number` counts CTAs, x fastest.
  cta_state(const grid_setting& setting, std::uint64_t number);

  /// Executes each warp in turn until it waits, ends, or has executed `most` instructions. Returns the instructions executed. Throws
  /// kernel_fault, also where all warps wait.
  std::uint64_t run(std::uint64_t most);
  bool has_ended() const;
  std::uint64_t number() const { return number_; }
  warp_state& warp(unsigned number) { return warps_[number]; }
  /// Where its first warp is that has not ended, for messages.
  std::string place() const;

  // For steps.
  const grid_setting& setting() const { return setting_; }
  std::uint8_t* shared() { return shared_.data(); }
  std::uint64_t shared_bytes() const { return shared_.size(); }
  /// Local memory of a thread, from local_begin() to the end of the window; it comes into being when it is touched.
  std::uint8_t* local(unsigned warp, unsigned lane);
  std::uint64_t local_begin() const { return stack_top - setting_.local_bytes; }

  /// The lanes in which a predicate is true that is reduced at a barrier, and whether it is to hold in all.
  struct ballot {
    std::uint32_t lanes = 0;
    bool asks_for_all = false;
  };
  /// Lanes of a warp come to a barrier. `threads`: how many open it; 0: all of the CTA.
  void arrive(warp_state& warp, std::uint32_t mask, unsigned barrier, unsigned threads, const ballot& votes);
  void lanes_ended();
  /// Where lane arithmetic puts its results before they are written; it is not cleared from one instruction to the next.
  lanes::lane_result& results() { return results_; }
  /// Where an access is put together that is performed at once.
  access_request& request() { return request_; }

 private:
  struct cta_barrier {
    unsigned arrived = 0, threads = 0, votes = 0, lanes = 0;
    bool asks_for_all = false;
  };

  void open_if_complete(unsigned barrier);
  unsigned live_lanes() const;

  const grid_setting& setting_;
  std::uint64_t number_;
  std::vector<std::uint8_t> shared_;
  std::deque<warp_state> warps_;
  std::vector<std::unique_ptr<zeroed_bytes>> local_;  ///< by thread
  std::array<cta_barrier, barriers> barriers_{};
  lanes::lane_result results_;
  access_request request_;
};

}  // namespace tc::execution
