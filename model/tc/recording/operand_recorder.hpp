// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <string>

#include <tc/fabric/recorder.hpp>
#include <tc/links/bank_protocol.hpp>
#include <tc/links/pipeline_observers.hpp>
#include <tc/recording/stage_recorder.hpp>

namespace tc::recording {

/// Records of an operand fetch and of the register banks: the stages behind issue, reuse, read ports and their conflicts, writes. When
/// ports are given is told by the operand fetch, if it books them, and otherwise follows from the transactions with the banks.
class operand_recorder final : public links::operand_observer {
 public:
  using cycle_t = fabric::cycle_t;

  /// `operand_fetch` is the path of the module.
  operand_recorder(fabric::recorder& records, const fabric::clock_domain& clock, const std::string& operand_fetch);

  /// During elaboration: the path of the next bank; returns its number.
  unsigned add_bank(const std::string& path);

  void ports_are_booked() override { are_ports_told_ = true; }
  void port_granted(const links::register_reader& reader, const links::register_run& read, cycle_t begin, cycle_t end) override;
  void port_missed(const links::register_reader& reader, unsigned bank, cycle_t cycle) override;
  void stands_still(const links::register_reader& reader, cycle_t cycle) override;
  void reused(const links::warp_instruction& instruction, unsigned registers) override;

  /// An instruction gathers its operands, from the running cycle on; they are at its unit.
  void issued(const links::warp_instruction& instruction);
  void dispatched(const links::warp_instruction& instruction);

  /// A transaction of the link "bank_read" arrives; is answered. Of a policy that does not tell of ports.
  void read_arrives(unsigned bank, links::bank_transfer& read);
  void read_done(unsigned bank, links::bank_transfer& read);
  /// A transaction of the link "bank_write", or of a link "accumulator".
  void written(unsigned bank, const links::bank_transfer& write);
  void accumulated(unsigned bank, const links::bank_transfer& access);

 private:
  struct register_bank {
    const fabric::record_stream *read, *conflict, *write, *accumulator;
    cycle_t port_free = 0;                                                         // of ranges, which are read one after the other
    std::unordered_map<const links::bank_transfer*, std::vector<cycle_t>> done{};  // of each range of those that are not answered
  };

  fabric::recorder& records_;
  const fabric::clock_domain& clock_;
  const fabric::record_stream &reuse_hit_, &standstill_;
  instruction_stage gathering_;
  std::deque<register_bank> banks_;
  bool are_ports_told_ = false;
};

}  // namespace tc::recording
