// SPDX-License-Identifier: Apache-2.0
#include "register_file.hpp"

#include <string>
#include <utility>

#include <tc/fabric/direct_link.hpp>
#include <tc/isa/register_use.hpp>

namespace tc::subcore {

register_file::register_file(const sc_core::sc_module_name& module_name, const params& parameters, const links::unit_source& units,
                             fabric::clock_domain& clock)
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
    banks_.push_back(links::make_unit(units.makers.register_bank, name(), child, site, [&] {
      auto own = std::make_unique<register_bank>(child.c_str(), bank, clock);
      own_.push_back(own.get());
      std::vector<link*> links{&own->read, &own->write, &own->accumulator};
      return links::made_memory{std::move(own), std::move(links)};
    }));
  }
}

register_file::~register_file() = default;

std::vector<register_bank*> register_file::direct_banks(sc_core::sc_vector<fabric::base_protocol_initiator>& initiators,
                                                        fabric::completing_target register_bank::*socket) const {
  if (own_.size() != banks_.size()) return {};
  for (unsigned i = 0; i < own_.size(); ++i)
    if (!fabric::is_direct(initiators[i], own_[i]->*socket)) return {};
  return own_;
}

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
