#include "tensor_memory_system.hpp"

#include <tc/fabric/reports.hpp>

namespace tc::device {

namespace {

/// From the issue of an instruction to its arrival in another unit of the SM, a cycle after its dispatch.
unsigned issue_cycles(const config::sm_parameters& machine) { return machine.sub_core.operand_fetch.issue_to_dispatch_cycles + 1; }

}  // namespace

tensor_memory_system::tensor_memory_system(const config::sm_parameters& machine, bool data, fabric::clock_domain& clock)
    : memory_("tensor_memory", {machine.tensor_memory, engine_links, data}, clock),
      allocation_("tensor_allocation", {machine.tensor_memory, issue_cycles(machine)}, clock) {
  requests_.register_nb_transport_fw(this, &tensor_memory_system::refuse);
}

tensor_memory_system::~tensor_memory_system() = default;

void tensor_memory_system::bind(sc_core::sc_vector<subcore::sub_core>& sub_cores,
                                subcore::link_target<subcore::link_binder::memory_protocol>& shared_memory, subcore::link_binder& binder) {
  for (unsigned s = 0; s < sub_cores.size(); ++s) {
    subcore::tensor_memory_unit& unit = *sub_cores[s].tensor_memory();
    binder.bind("tensor_memory", unit.accesses.chunk, memory_.chunks[s].access);
    unit.accesses.owners.bind(allocation_.owners);
    binder.bind("tensor_allocation", unit.requests.allocation, allocation_.allocation);
    binder.bind("tensor_request", unit.requests.request, requests_);
  }
  binder.bind("tensor_memory", allocation_.tensor_memory, memory_.engine[allocation_link]);
  binder.bind("shared_memory", allocation_.shared, shared_memory);
}

/// Kernels with such instructions are refused.
tlm::tlm_sync_enum tensor_memory_system::refuse(int, subcore::warp_instruction&, tlm::tlm_phase&, sc_core::sc_time&) {
  fabric::error(fabric::report::target_phase, requests_.name(), "the machine has no tensor engine");
  return tlm::TLM_ACCEPTED;
}

}  // namespace tc::device
