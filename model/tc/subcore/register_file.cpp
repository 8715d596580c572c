#include <tc/fabric/payload_pool.hpp>
#include <tc/subcore/register_file.hpp>

namespace tc::subcore {

register_file::register_file(const sc_core::sc_module_name& module_name, const config::register_file_parameters& parameters,
                             unsigned warp_slots, fabric::clock_domain& clock)
    : sc_module(module_name), bank("bank"), mapping_(parameters) {
  register_bank::params bank_params;
  bank_params.rows = warp_slots * mapping_.rows_per_warp();
  bank_params.read_ports = parameters.read_ports;
  bank.init(parameters.banks, [&](const char* name, std::size_t) { return new register_bank(name, bank_params, clock); });
}

unsigned register_file::debug(tlm::tlm_command command, const register_location& at, unsigned char* row) {
  tlm::tlm_generic_payload payload;
  fabric::set_attributes(payload, command, at.address, row, register_bank::row_bytes);
  return bank[at.bank].read.get_base_interface().transport_dbg(payload);
}

lane_vector register_file::peek(unsigned warp_slot, unsigned index) {
  lane_vector value{};
  debug(tlm::TLM_READ_COMMAND, mapping_.locate(warp_slot, index), reinterpret_cast<unsigned char*>(value.data()));
  return value;
}

void register_file::poke(unsigned warp_slot, unsigned index, const lane_vector& value) {
  lane_vector copy = value;
  debug(tlm::TLM_WRITE_COMMAND, mapping_.locate(warp_slot, index), reinterpret_cast<unsigned char*>(copy.data()));
}

}  // namespace tc::subcore
