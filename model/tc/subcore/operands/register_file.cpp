#include "register_file.hpp"

#include <string>
#include <utility>

#include <tc/subcore/operands/register_bank.hpp>

namespace tc::subcore {

register_file::register_file(const sc_core::sc_module_name& module_name, const params& parameters, const unit_source& units,
                             fabric::clock_domain& clock)
    : sc_module(module_name) {
  register_bank::params bank;
  bank.rows = parameters.warp_slots * register_mapping(parameters.machine).rows_per_warp();
  bank.read_ports = parameters.machine.read_ports;
  bank.queues_reads = parameters.queues_reads;
  for (unsigned i = 0; i < parameters.machine.banks; ++i) {
    const std::string child = "bank_" + std::to_string(i);
    const register_bank_site site{
        {units.at(i), parameters.data, clock}, parameters.machine, bank.rows, bank.queues_reads, parameters.accumulators};
    banks_.push_back(make_unit(units.makers.register_bank, name(), child, site, [&] {
      auto own = std::make_unique<register_bank>(child.c_str(), bank, clock);
      std::vector<link*> links{&own->read, &own->write, &own->accumulator};
      return made_memory{std::move(own), std::move(links)};
    }));
  }
}

register_file::~register_file() = default;

}  // namespace tc::subcore
