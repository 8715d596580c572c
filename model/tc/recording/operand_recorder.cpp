// SPDX-License-Identifier: Apache-2.0
#include "operand_recorder.hpp"

#include <algorithm>

#include <tc/links/register_position.hpp>
#include <tc/recording/record_types.hpp>

namespace tc::recording {

operand_recorder::operand_recorder(fabric::recorder& records, const fabric::clock_domain& clock, const std::string& operand_fetch)
    : records_(records),
      clock_(clock),
      reuse_hit_(records.add_stream(operand_fetch, reuse_hit_type)),
      standstill_(records.add_stream(operand_fetch, standstill_type)),
      gathering_(records, operand_fetch, operand_fetch_type) {}

unsigned operand_recorder::add_bank(const std::string& path) {
  banks_.push_back({&records_.add_stream(path, bank_read_type), &records_.add_stream(path, bank_conflict_type),
                    &records_.add_stream(path, bank_write_type), &records_.add_stream(path, bank_accumulator_type)});
  return static_cast<unsigned>(banks_.size()) - 1;
}

void operand_recorder::port_granted(const links::register_reader& reader, const links::register_run& read, cycle_t begin, cycle_t end) {
  if (records_.is_over()) return;
  const std::uint64_t rows_per_warp = links::first_uniform_position / banks_.size();
  const std::uint64_t row = reader.warp_slot * rows_per_warp + read.first / banks_.size();
  records_.span(*banks_[read.bank].read, begin, end, {std::uint64_t{reader.warp_slot}, row, std::uint64_t{read.registers}}, reader.record);
}

void operand_recorder::port_missed(const links::register_reader& reader, unsigned bank, cycle_t cycle) {
  records_.span(*banks_[bank].conflict, cycle, cycle + 1, {std::uint64_t{reader.warp_slot}}, reader.record);
}

void operand_recorder::stands_still(const links::register_reader& reader, cycle_t cycle) {
  records_.span(standstill_, cycle, cycle + 1, {std::uint64_t{reader.warp_slot}}, reader.record);
}

void operand_recorder::reused(const links::warp_instruction& instruction, unsigned registers) {
  if (records_.is_over()) return;
  const cycle_t now = clock_.cycle();
  records_.span(reuse_hit_, now, now + 1, {std::uint64_t{instruction.warp->slot}, std::uint64_t{registers}}, instruction.record);
}

void operand_recorder::issued(const links::warp_instruction& instruction) {
  gathering_.enters(instruction.record, clock_.cycle(), {std::uint64_t{instruction.warp->slot}}, instruction.record);
}

void operand_recorder::dispatched(const links::warp_instruction& instruction) { gathering_.leaves(instruction.record, clock_.cycle()); }

void operand_recorder::read_arrives(unsigned bank, links::bank_transfer& read) {
  if (are_ports_told_ || records_.is_over()) return;
  std::vector<cycle_t>& done = banks_[bank].done[&read];
  done.assign(read.range_count, 0);
  read.range_done = done.data();
}

/// The bank has one port or more, but takes one range after the other: what came before keeps the next one waiting. A bank that does not
/// say when each is done has all of them at the end.
void operand_recorder::read_done(unsigned bank, links::bank_transfer& read) {
  register_bank& at = banks_[bank];
  const auto found = at.done.find(&read);
  if (found == at.done.end()) return;
  const cycle_t arrival = std::max(read.arrival, clock_.cycle());
  for (std::uint32_t r = 0; r < read.range_count; ++r) {
    const cycle_t done = found->second[r] == 0 ? read.done : found->second[r], start = std::min(std::max(arrival, at.port_free), done);
    at.port_free = done;
    if (start > arrival) records_.span(*at.conflict, arrival, start, {std::uint64_t{read.warp_slot}}, read.record);
    records_.span(*at.read, start, done,
                  {std::uint64_t{read.warp_slot}, std::uint64_t{read.first_row(read.ranges[r])}, std::uint64_t{read.ranges[r].rows}},
                  read.record);
  }
  at.done.erase(found);
  read.range_done = nullptr;
}

void operand_recorder::written(unsigned bank, const links::bank_transfer& write) {
  if (records_.is_over()) return;
  for (std::uint32_t r = 0; r < write.range_count; ++r)
    records_.span(*banks_[bank].write, write.arrival, write.arrival + 1,
                  {std::uint64_t{write.warp_slot}, std::uint64_t{write.first_row(write.ranges[r])}, std::uint64_t{write.ranges[r].rows}},
                  write.record);
}

void operand_recorder::accumulated(unsigned bank, const links::bank_transfer& access) {
  if (records_.is_over()) return;
  const std::uint64_t is_write = access.command == tlm::TLM_WRITE_COMMAND ? 1 : 0;
  for (std::uint32_t r = 0; r < access.range_count; ++r)
    records_.span(*banks_[bank].accumulator, access.arrival, access.arrival + 1,
                  {is_write, std::uint64_t{access.warp_slot}, std::uint64_t{access.first_row(access.ranges[r])},
                   std::uint64_t{access.ranges[r].rows}},
                  access.record);
}

}  // namespace tc::recording
