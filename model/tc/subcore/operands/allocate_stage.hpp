// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <tc/links/pipeline_observers.hpp>
#include <tc/subcore/operands/register_ports.hpp>

namespace tc::subcore {

/// The stages that an instruction of fixed latency passes behind issue: Control in the cycle after it, then Allocate, which reserves a read
/// port for each register in the coming cycles, the read window, and leaves when all are reserved and the write port is free in the cycle
/// of the result. Until then the whole front end stands still: nothing issues, and stall counts do not run (Huerta et al., arXiv
/// 2503.20481, sections 5.1.1 and 5.3; the standstill: recorded on an H200).
///
/// Two things narrow the window, both recorded on an H200. Each operand slot has a latch for each bank, which the instruction ahead keeps
/// to the end of its own window. And a register that is still to be written is read when its result is there: by an instruction as close
/// behind the producer as the latency allows, in the last cycle of the window.
///
/// Nothing happens here by itself. Whoever asks about a cycle first brings the stages up to it with advance(), and what was issued before
/// has been entered by then.
class allocate_stage {
 public:
  static constexpr unsigned operand_slots = 3;
  static constexpr unsigned from_issue = 2;  ///< cycles from issue to Allocate

  /// Registers of one operand in one bank.
  struct operand_read {
    std::uint8_t bank = 0;
    std::uint8_t slot = isa::no_slot;  ///< whose latch takes it; no_slot: none is in the way
    std::uint8_t registers = 1;
    cycle_t earliest = 0;    ///< first cycle for the read, of those in which the front end moves
    std::uint8_t index = 0;  ///< the first register
  };

  /// What an instruction needs.
  class demand {
   public:
    bool has_result = false;          ///< in a vector register
    links::register_reader reader{};  ///< for who is told

    void read(const operand_read& what);
    /// The instruction has an operand in this slot and bank, read or kept from before.
    void use_latch(unsigned slot, unsigned bank) { latches_[slot] |= std::uint32_t{1} << bank; }

   private:
    friend class allocate_stage;
    static constexpr unsigned max_reads = 16;
    std::array<operand_read, max_reads> reads_{};
    unsigned read_count_ = 0;
    std::array<std::uint32_t, operand_slots> latches_{};  ///< by slot: a bit for each bank
  };

  /// `window_cycles`: of the read window. The ports outlive the stage.
  allocate_stage(register_ports& ports, cycle_t window_cycles)
      : ports_(ports), window_cycles_(window_cycles), latched_until_(operand_slots * ports.banks()) {}

  /// Who is told of reads and standstills; null: nobody. With somebody, advance() is called in every cycle in which a stage is taken.
  void tell(links::operand_observer* listener) { told_ = listener; }

  /// As after construction.
  void reset();

  /// Brings the stages up to this cycle and through it.
  void advance(cycle_t cycle) {
    if (next_ > cycle) return;
    if (is_occupied()) pass(cycle);
    if (next_ > cycle) return;
    next_ = cycle + 1;
    stands_still_ = false;
  }
  /// Whether an instruction is in the stages.
  bool is_occupied() const { return control_.occupied || allocate_.occupied; }

  /// Whether nothing may issue in the cycle that advance() came to.
  bool stands_still() const { return stands_still_; }
  /// Cycles so far in which the front end stood still.
  cycle_t lost_cycles() const { return lost_cycles_; }

  /// An instruction issues in the cycle that advance() came to.
  void enter(const demand& needs);

 private:
  struct stage {
    bool occupied = false;
    demand needs{};
  };

  void pass(cycle_t cycle);
  bool allocate(cycle_t cycle);
  bool reserve(operand_read& read, cycle_t cycle);
  void tell_standstill(cycle_t cycle);
  void keep_latches(cycle_t cycle);
  cycle_t& latched_until(unsigned slot, unsigned bank) { return latched_until_[slot * ports_.banks() + bank]; }

  register_ports& ports_;
  const cycle_t window_cycles_;
  std::vector<cycle_t> latched_until_;  ///< by slot and bank: last cycle in which the latch is taken
  stage control_, allocate_;
  cycle_t next_ = 0;  ///< first cycle not passed
  cycle_t lost_cycles_ = 0;
  bool stands_still_ = false;
  links::operand_observer* told_ = nullptr;
};

}  // namespace tc::subcore
