#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <tc/subcore/operand_plan.hpp>

namespace tc::subcore {

/// How often each of the coming cycles of a port is taken.
class cycle_calendar {
 public:
  unsigned taken(cycle_t cycle) const {
    const day& entry = days_[cycle % days];
    return entry.cycle == cycle ? entry.uses : 0;
  }
  void take(cycle_t cycle) {
    day& entry = days_[cycle % days];
    entry = {cycle, taken(cycle) + 1};
  }

 private:
  static constexpr std::size_t days = 64;
  struct day {
    cycle_t cycle = 0;
    unsigned uses = 0;
  };
  std::array<day, days> days_{};
};

/// The stages that an instruction of fixed latency passes behind issue: Control in the cycle after it, then Allocate, which reserves a read
/// port for each register in the coming cycles, the read window, and leaves when all are reserved and the write port is free in the cycle
/// of the result. Until then the whole front end stands still: nothing issues, and stall counts do not run (Huerta et al., arXiv
/// 2503.20481, sections 5.1.1 and 5.3; the standstill: recorded on an H200).
///
/// Nothing happens here by itself. Whoever asks about a cycle first brings the stages up to it with advance(), and what was issued before
/// has been entered by then.
class allocate_stage {
 public:
  struct params {
    unsigned banks = 2;
    unsigned read_ports = 1;
    unsigned window_cycles = 3;
  };

  /// What an instruction needs.
  struct demand {
    std::array<std::uint8_t, operand_plan::max_banks> reads{};  ///< registers by bank
    bool has_result = false;                                    ///< in a vector register
  };

  explicit allocate_stage(const params& parameters) : params_(parameters), reads_(parameters.banks) {}

  /// Brings the stages up to this cycle and through it.
  void advance(cycle_t cycle);

  /// Whether nothing may issue in the cycle that advance() came to.
  bool stands_still() const { return stands_still_; }
  /// Cycles so far in which the front end stood still.
  cycle_t lost_cycles() const { return lost_cycles_; }

  /// An instruction issues in the cycle that advance() came to.
  void enter(const demand& needs);

  /// A reservation of somebody who does not pass these stages.
  void take_read_port(unsigned bank, cycle_t cycle) { reads_[bank].take(cycle); }
  /// The write port is taken for an instruction that leaves Allocate in this cycle.
  void take_write_port(cycle_t cycle) { writes_.take(cycle); }

 private:
  struct stage {
    bool occupied = false;
    demand needs{};
  };

  bool allocate(cycle_t cycle);

  const params params_;
  std::vector<cycle_calendar> reads_;  ///< by bank
  cycle_calendar writes_;              ///< by the cycle in which an instruction of fixed latency would leave Allocate
  stage control_, allocate_;
  cycle_t next_ = 0;  ///< first cycle not passed
  cycle_t lost_cycles_ = 0;
  bool stands_still_ = false;
};

}  // namespace tc::subcore
