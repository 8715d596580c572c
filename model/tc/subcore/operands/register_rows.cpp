// SPDX-License-Identifier: Apache-2.0
#include "register_rows.hpp"

#include <tc/isa/register_use.hpp>

namespace tc::subcore {

void register_rows::arrange(const register_mapping& mapping, unsigned warp_slot, const std::vector<std::uint8_t>& registers) {
  if (warp_slot == warp_slot_ && registers == registers_) return;
  warp_slot_ = warp_slot;
  registers_ = registers;
  order_.clear();
  for (unsigned bank = 0; bank < mapping.banks(); ++bank)
    for (unsigned i = 0; i < registers.size(); ++i)
      if (registers[i] != isa::zero_register && mapping.bank(warp_slot, registers[i]) == bank)
        order_.push_back(static_cast<std::uint8_t>(i));
  rows_.resize(order_.size());

  runs_.clear();
  for (std::size_t row = 0; row < order_.size(); ++row) {
    const register_location at = mapping.locate(warp_slot, registers[order_[row]]);
    const bool follows = !runs_.empty() && runs_.back().bank == at.bank &&
                         at.address() == runs_.back().address + runs_.back().rows * std::uint64_t{links::bank_protocol::row_bytes};
    if (follows)
      ++runs_.back().rows;
    else
      runs_.push_back({at.bank, at.address(), row, 1});
  }
}

void register_rows::access_directly(const std::vector<register_bank*>& banks, tlm::tlm_command command, cycle_t arrival) {
  for (const run& each : runs_) {
    register_bank& bank = *banks[each.bank];
    const std::size_t first = each.address / links::bank_protocol::row_bytes;
    const auto rows = static_cast<unsigned>(each.rows);
    if (command == tlm::TLM_READ_COMMAND)
      bank.read_accumulators_directly(first, rows, arrival, data(each));
    else
      bank.write_directly(first, rows, arrival, register_bank::all_lanes, &rows_[each.first], 1);
  }
}

}  // namespace tc::subcore
