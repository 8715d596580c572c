// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include <tc/fabric/zeroed_allocator.hpp>
#include <tc/isa/instruction.hpp>
#include <tc/links/instruction_protocol.hpp>
#include <tc/links/register_position.hpp>
#include <tc/links/result_source.hpp>
#include <tc/links/run_observer.hpp>
#include <tc/links/warp_instruction.hpp>
#include <tc/subcore/issue/least_latencies.hpp>

namespace tc::subcore {

using fabric::cycle_t;

/// When the registers of the warps of a sub-core get their pending values. It separates a consumer from its producer where no control code
/// does, and finds the consumers that a control code lets go too early.
///
/// It holds an instruction that has a control code no longer than its values need: a read until the value is there, a write until it cannot
/// come before an earlier one. So it adds nothing to control codes that fit the machine.
class scoreboard {
 public:
  scoreboard(const links::operand_timing& operands, unsigned warp_slots, least_latencies latencies = {});

  void clear(unsigned warp_slot);

  /// First cycle in which the warp may issue the instruction with every register it reads or writes settled; unknown_cycle if one waits for
  /// an instruction whose end is not known. Without active lanes only the guard matters.
  cycle_t earliest_issue(const warp::warp_step& step, unsigned warp_slot) const;

  /// Whose result among those that the instruction waits for is there last.
  links::result_source awaited_source(const isa::instruction& code, unsigned warp_slot) const;

  /// The ids of the last instructions that the warp has waited for by its dependence counters.
  struct counter_waits {
    std::array<std::uint64_t, isa::control_code::barriers> by_counter{};
    std::array<std::uint64_t, links::result_sources> by_source{};  ///< of the units whose results those were
  };

  /// When an instruction issues: in which cycle, and in which one it would if nothing but the stall counts of its warp held it, counted
  /// from the warp's first instruction on.
  struct issue_time {
    cycle_t cycle = 0, by_stall_counts = 0;
  };

  /// A register that an instruction issued at this time, behind these waits, reads before its value is there, or would if nothing had held
  /// it up; or one of a producer that is waited for by a dependence counter, and has not been; or one that it writes, while another
  /// instruction that reads it late may not have done so. Nothing if there is none. Without active lanes only the guard matters. Times of
  /// issue may not go back.
  std::optional<links::early_read> reads_early(const warp::warp_step& step, unsigned warp_slot, issue_time issue,
                                               const counter_waits& waits);

  /// An instruction issued: its results, and if operands wait its operands, are pending.
  void issued(const links::warp_instruction& instruction, cycle_t by_stall_counts);

  /// An instruction retires; its results are visible from its `result` cycle on.
  void retired(const links::warp_instruction& instruction);

 private:
  struct register_result {
    cycle_t visible = 0;          ///< a consumer whose operands arrive then sees the value
    cycle_t by_stall_counts = 0;  ///< the same if nothing but stall counts had held its producer; 0: it was not promised
    std::uint64_t writer = 0;     ///< id of the last instruction issued that writes it; `visible` is of that one
    isa::execution_unit unit = isa::execution_unit::none;  ///< of the producer, if the result was promised
    isa::opcode op{};                                      ///< the producer's
    links::result_source source = links::result_source::arithmetic;
    std::uint8_t counter = no_counter;  ///< the dependence counter of the producer, from 1 on
  };
  static constexpr std::uint8_t no_counter = 0;       ///< stall counts are enough, or no control code says anything
  static constexpr std::uint8_t missing_counter = 7;  ///< it would need one
  using warp_results = std::array<register_result, links::register_positions>;
  struct register_reads {
    cycle_t last = 0;      ///< the register may be overwritten from then on
    unsigned readers = 0;  ///< instructions in flight that read it at a time not known yet
  };
  using warp_reads = std::array<register_reads, links::register_positions>;
  /// A bit for each register; of registers that follow each other it can tell at once.
  class register_set {
   public:
    bool has(unsigned position) const { return (words_[position / bits] >> position % bits & 1U) != 0; }
    /// Whether it has one of this number of registers from there on.
    bool has_any(unsigned first, unsigned count) const {
      for (const unsigned end = first + count; first < end; first += bits - first % bits)
        if ((words_[first / bits] >> first % bits & ones(std::min(end - first, bits))) != 0) return true;
      return false;
    }
    void add(unsigned position) { words_[position / bits] |= std::uint64_t{1} << position % bits; }
    void remove(unsigned position) { words_[position / bits] &= ~(std::uint64_t{1} << position % bits); }

   private:
    static constexpr unsigned bits = 64;
    static std::uint64_t ones(unsigned count) { return ~std::uint64_t{0} >> (bits - count); }
    std::array<std::uint64_t, (links::register_positions + bits - 1) / bits> words_{};
  };
  /// The last instruction issued that reads a vector register late.
  struct late_read {
    std::uint64_t reader = 0;  ///< its id
    std::uint32_t lanes = 0;   ///< in which it is executed; 0: there is no such instruction
    std::uint8_t read_counter = no_counter, write_counter = no_counter;
    isa::execution_unit unit = isa::execution_unit::none;
  };
  using warp_late_reads = std::array<late_read, links::first_uniform_position>;

  static unsigned position(const isa::register_use& use) { return links::register_position(use.file, use.index); }
  static cycle_t earliest_issue(cycle_t visible, std::int64_t read_offset);
  cycle_t earliest_reader(const isa::instruction& code, const isa::register_use& use, unsigned warp_slot) const;
  cycle_t earliest_writer(const isa::instruction& code, const isa::register_use& use, unsigned warp_slot) const;
  cycle_t earliest_overwrite(const register_result& earlier, const isa::instruction& code) const;
  cycle_t earliest_accumulation(const isa::wgmma_operation& operation, const isa::instruction& code, unsigned warp_slot) const;
  cycle_t last_read(unsigned reg, unsigned warp_slot) const;
  bool comes_in_order(const register_result& earlier, const isa::instruction& code) const;
  static std::uint8_t counter_of(const links::warp_instruction& instruction);
  static bool has_been_waited_for(const register_result& result, const counter_waits& waits);
  const isa::register_use* overwritten_without_wait(const isa::instruction& code, unsigned warp_slot, const counter_waits& waits) const;
  void note_late_reads(const links::warp_instruction& instruction);
  static bool has_been_read(const late_read& read, const isa::instruction& writer, const counter_waits& waits);
  const isa::register_use* overwritten_before_read(const warp::warp_step& step, const counter_waits& waits, unsigned warp_slot) const;
  void settle_results(const links::warp_instruction& instruction);
  static bool holds_until_retired(const links::warp_instruction& instruction, const isa::register_use& use);

  const links::operand_timing operands_;
  const least_latencies latencies_;
  fabric::zeroed_vector<warp_results> results_;    ///< by warp slot
  fabric::zeroed_vector<register_set> recent_;     ///< by warp slot: registers whose results an instruction may still read too early
  fabric::zeroed_vector<warp_reads> reads_;        ///< by warp slot; of operands that wait
  fabric::zeroed_vector<warp_late_reads> late_;    ///< by warp slot
  fabric::zeroed_vector<register_set> read_late_;  ///< by warp slot: registers of late_ that have been read late
};

}  // namespace tc::subcore
