// SPDX-License-Identifier: Apache-2.0
#include "register_file.hpp"

#include <string>
#include <utility>

#include <tc/fabric/direct_link.hpp>

namespace tc::subcore {

register_file::register_file(const sc_core::sc_module_name& module_name, const params& parameters, const links::unit_source& units,
                             fabric::clock_domain& clock)
    : sc_module(module_name) {
  register_bank::params bank;
  bank.rows = parameters.warp_slots * register_mapping(parameters.machine).rows_per_warp();
  bank.read_ports = parameters.machine.read_ports;
  bank.queues_reads = parameters.queues_reads;
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

}  // namespace tc::subcore
