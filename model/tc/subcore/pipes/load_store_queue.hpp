#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include <tc/fabric/clocked.hpp>
#include <tc/subcore/links/instruction_protocol.hpp>
#include <tc/subcore/links/warp_instruction.hpp>

namespace tc::subcore {

/// The queue in front of the load-store unit. An entry is taken when an instruction issues and given back when its access has left the
/// unit: a full memory therefore fills the queue. Instructions leave in the order in which they came, once their operands are there.
class load_store_queue {
 public:
  explicit load_store_queue(unsigned entries) : entries_(entries) {}

  /// The first cycle, not before `dispatch`, in which another instruction fits. If that depends on an entry of which nobody knows yet when
  /// it gets free: a later cycle in which to ask again.
  cycle_t earliest(cycle_t dispatch) const;

  /// Takes an entry for an instruction, whose dispatch time is set.
  void push(warp_instruction& instruction);
  /// The operands of an instruction are there.
  void operands_ready(const warp_instruction& instruction);
  /// The next instruction in order if its operands are there, nullptr otherwise. Its entry stays taken until left().
  warp_instruction* pop();

  /// An instruction that was popped leaves the unit in this cycle. To be called once for each.
  void left(cycle_t cycle);

  /// Entries taken at `cycle`, those of unknown end included.
  unsigned taken(cycle_t cycle) const;
  /// Instructions that took the last entry.
  std::uint64_t times_full() const { return times_full_; }

 private:
  struct waiting {
    warp_instruction* instruction;
    bool ready;
  };

  unsigned entries_;
  std::deque<waiting> waiting_;
  unsigned popped_ = 0;           // and not known when they leave
  std::vector<cycle_t> leaving_;  // when the latest others leave, ascending
  std::uint64_t times_full_ = 0;
};

}  // namespace tc::subcore
