#include "register_file.hpp"

namespace tc::subcore {

register_file::register_file(const sc_core::sc_module_name& module_name, const config::register_file_parameters& parameters,
                             unsigned warp_slots, bool queues_reads, fabric::clock_domain& clock)
    : sc_module(module_name), bank("bank") {
  register_bank::params bank_params;
  bank_params.rows = warp_slots * register_mapping(parameters).rows_per_warp();
  bank_params.read_ports = parameters.read_ports;
  bank_params.queues_reads = queues_reads;
  bank.init(parameters.banks, [&](const char* name, std::size_t) { return new register_bank(name, bank_params, clock); });
}

register_file::~register_file() = default;

}  // namespace tc::subcore
