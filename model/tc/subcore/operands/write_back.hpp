// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <systemc>

#include <tc/fabric/clock_domain.hpp>
#include <tc/fabric/resettable.hpp>
#include <tc/fabric/statistics.hpp>
#include <tc/fabric/transfer_pool.hpp>
#include <tc/links/bank_protocol.hpp>
#include <tc/links/instruction_protocol.hpp>
#include <tc/subcore/operands/definedness.hpp>
#include <tc/subcore/operands/register_file.hpp>
#include <tc/subcore/operands/side_registers.hpp>

namespace tc::subcore {

/// Takes results from all execution units to the registers, and the instruction back to the scheduler. Each bank has write ports: a result
/// of fixed latency is always on time, as a result queue with bypass makes it, and takes the port of its cycle; the result of a queued unit
/// waits for a cycle in which the port is free (Huerta et al., arXiv 2503.20481, section 5.3).
class write_back final : public sc_core::sc_module, public fabric::statistics_source, public fabric::resettable {
 public:
  sc_core::sc_vector<links::bank_initiator<write_back>> bank_write;  ///< by bank
  links::instruction_initiator<write_back> retire{"retire"};
  fabric::transfer_target<links::instruction_protocol, 0> result{"result"};

  /// `data` false: no values are written, only time passes.
  write_back(const sc_core::sc_module_name& name, const register_mapping& mapping, unsigned write_ports, bool data, side_registers& side,
             definedness& shadow, fabric::clock_domain& clock);
  ~write_back() override;

  /// Gives a vector register its value before the warp's first instruction, by debug transport. Reports a bank that does not take it.
  void preset(unsigned warp_slot, unsigned index, const warp::lane_vector& value);
  /// The content of a vector register now, by debug transport; false if the bank does not tell.
  bool peek(unsigned warp_slot, unsigned index, warp::lane_vector& value);

  /// True if no payload is in use.
  bool idle() const { return writes_.live() == 0; }

  void reset() override;
  void collect(fabric::statistics_sink& sink) const override;

 private:
  /// Uses of one bank's write ports in the near future, by cycle.
  class port_calendar {
   public:
    /// Takes the ports for `registers` rows from `cycle` on. Returns has_room() of before.
    bool take(cycle_t cycle, unsigned registers, unsigned ports) {
      day& entry = days_[cycle % span_cycles];
      if (entry.turn != turn_of(cycle)) entry = {turn_of(cycle), 0};
      if (entry.rows + registers > ports) return take_several(cycle, registers, ports);
      entry.rows += registers;
      return true;
    }
    bool has_room(cycle_t cycle, unsigned registers, unsigned ports) const;

   private:
    static constexpr std::size_t span_cycles = 256;
    /// Of the cycles that share it the one in this turn; small, as the calendars of all banks are to stay near. Turns repeat after 2^40
    /// cycles, in which a day of a bank in use is written again and again.
    struct day {
      std::uint32_t turn = 0;
      std::uint32_t rows = 0;
    };
    static std::uint32_t turn_of(cycle_t cycle) { return static_cast<std::uint32_t>(cycle / span_cycles); }
    bool take_several(cycle_t cycle, unsigned registers, unsigned ports);
    unsigned rows(cycle_t cycle) const;
    std::array<day, span_cycles> days_{};
  };

  /// What a bank is asked for, and for which instruction.
  struct bank_write_request final : links::bank_transfer {
    links::row_range range;
    links::value_origin writer{};
  };

  unsigned access_for_debug(tlm::tlm_command command, const register_location& at, warp::lane_vector& value);
  tlm::tlm_sync_enum arrived(links::warp_instruction& instruction, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  tlm::tlm_sync_enum bank_answered(links::bank_transfer& write, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  void check_answer(const bank_write_request& write) const;
  cycle_t reserve_ports(const links::warp_instruction& instruction, cycle_t visible);
  cycle_t* last_in_order(isa::execution_unit unit);
  bool take_ports(unsigned warp_slot, const isa::register_use& use, cycle_t cycle);
  bool has_room(unsigned warp_slot, const isa::register_use& use, cycle_t cycle) const;
  void count_registers(const links::warp_instruction& instruction);
  void write_destination(const links::warp_instruction& instruction, unsigned d, cycle_t visible);
  void write_vector(const links::warp_instruction& instruction, const isa::operand& destination, cycle_t visible);
  bank_write_request& new_write(const links::warp_instruction& instruction);

  const register_mapping& mapping_;
  const unsigned write_ports_;
  const bool data_;
  side_registers& side_;
  definedness& shadow_;
  fabric::clock_domain& clock_;
  fabric::transfer_pool<bank_write_request> writes_;
  std::vector<port_calendar> ports_;
  std::array<cycle_t, isa::execution_units> last_results_{};  ///< by unit, of those that give results in order
  std::uint64_t results_ = 0, registers_written_ = 0, port_conflicts_ = 0, delayed_results_ = 0;
};

}  // namespace tc::subcore
