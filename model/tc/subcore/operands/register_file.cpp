// SPDX-License-Identifier: Apache-2.0
#include "register_file.hpp"

#include <string>
#include <utility>

#include <tc/isa/register_use.hpp>

namespace tc::subcore {

register_file::register_file(const sc_core::sc_module_name& module_name, const params& parameters, const links::unit_source& units,
                             fabric::clock_domain& clock, links::link_binder& binder)
    : sc_module(module_name) {
  register_bank::params bank;
  bank.rows = parameters.warp_slots * register_mapping(parameters.machine).rows_per_warp();
  bank.read_ports = parameters.machine.read_ports;
  bank.queues_reads = parameters.queues_reads;
  bank.data = parameters.data;
  for (unsigned i = 0; i < parameters.machine.banks; ++i) {
    const std::string child = "bank_" + std::to_string(i);
    const links::register_bank_site site{
        {units.at(i), parameters.data, clock}, parameters.machine, bank.rows, bank.queues_reads, parameters.accumulators};
    links::made_memory made = links::make_unit(units.makers.register_bank, name(), child, site, [] { return links::made_memory{}; });
    if (made.sockets.empty()) {
      own_.push_back(std::make_unique<register_bank>(child.c_str(), bank, clock));
      links_.push_back({&own_.back()->read, &own_.back()->write, &own_.back()->accumulator});
    } else {
      adapters_.push_back(std::make_unique<bank_adapter>((child + "_adapter").c_str(), made.sockets, clock, binder));
      links_.push_back({&adapters_.back()->read, &adapters_.back()->write, &adapters_.back()->accumulator});
      made_.push_back(std::move(made));
    }
  }
}

register_file::~register_file() = default;

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

  ranges_.clear();
  banks_.clear();
  for (std::size_t row = 0; row < order_.size(); ++row) {
    const register_location at = mapping.locate(warp_slot, registers[order_[row]]);
    if (banks_.empty() || banks_.back().bank != at.bank) banks_.push_back({at.bank, static_cast<std::uint32_t>(ranges_.size()), 0});
    bank_ranges& bank = banks_.back();
    if (bank.count != 0 && at.row == ranges_.back().row + ranges_.back().rows) {
      ++ranges_.back().rows;
    } else {
      ranges_.push_back({at.row, 1, static_cast<std::uint8_t>(row)});
      ++bank.count;
    }
  }
}

void register_rows::set(links::bank_transfer& transfer, const bank_ranges& of_bank, tlm::tlm_command command, cycle_t arrival) {
  transfer.command = command;
  transfer.ranges = &ranges_[of_bank.first];
  transfer.range_count = of_bank.count;
  transfer.arrival = arrival;
  transfer.values = transfer.room = rows_.data();
  transfer.warp_slot = warp_slot_;
}

}  // namespace tc::subcore
