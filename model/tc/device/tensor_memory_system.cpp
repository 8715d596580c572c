// SPDX-License-Identifier: Apache-2.0
#include "tensor_memory_system.hpp"

#include <memory>
#include <utility>

#include <tc/fabric/payload_pool.hpp>
#include <tc/tmem/cell_address.hpp>
#include <tc/tmem/tensor_memory.hpp>

namespace tc::device {

namespace {

/// From the issue of an instruction to its arrival in another unit of the SM, a cycle after its dispatch.
unsigned issue_cycles(const config::sm_parameters& machine) { return machine.sub_core.operand_fetch.issue_to_dispatch_cycles + 1; }

links::made_memory make_memory(const tensor_memory_system::params& parameters, unsigned engine_links, fabric::clock_domain& clock) {
  const char* const child = "tensor_memory";
  const links::tensor_memory_site site{{{parameters.sm, 0, 0}, parameters.data, clock}, parameters.machine.tensor_memory};
  return links::make_unit(parameters.maker, parameters.path, child, site, [&] {
    links::made_memory made;
    auto own = std::make_unique<tmem::tensor_memory>(
        child, tmem::tensor_memory::params{parameters.machine.tensor_memory, engine_links, parameters.data}, clock);
    for (tmem::tensor_chunk& chunk : own->chunks) made.sockets.push_back(&chunk.access);
    for (fabric::completing_target& link : own->engine) made.sockets.push_back(&link);
    made.module = std::move(own);
    return made;
  });
}

}  // namespace

tensor_memory_system::tensor_memory_system(const params& parameters, fabric::clock_domain& clock)
    : memory_(make_memory(parameters, engine_links, clock)),
      allocation_("tensor_allocation", {parameters.machine.tensor_memory, issue_cycles(parameters.machine)}, clock),
      engine_("tensor_engine",
              {parameters.machine.tensor_engine, parameters.machine.sub_core.tensor_core.arithmetic, parameters.sm,
               parameters.machine.sub_cores, parameters.data, parameters.machine.shared_memory.row_bytes()},
              clock) {}

tensor_memory_system::~tensor_memory_system() = default;

void tensor_memory_system::bind(const surroundings& around, links::link_binder& binder) {
  for (unsigned s = 0; s < around.sub_cores.size(); ++s) {
    subcore::tensor_memory_unit& unit = *around.sub_cores[s].tensor_memory();
    binder.bind("tensor_memory", unit.accesses.chunk, *memory_.sockets[s]);
    engine_.matrices().tensor_cores[s].bind(around.sub_cores[s].tensor_core_turns());
    unit.accesses.owners.bind(allocation_.owners);
    unit.accesses.order.bind(engine_.order);
    binder.bind("tensor_allocation", unit.requests.allocation, allocation_.allocation);
    binder.bind("tensor_request", unit.requests.request, engine_.request);
  }
  binder.bind("tensor_memory", allocation_.tensor_memory, engine_socket(allocation_link));
  binder.bind("tensor_memory", engine_.matrices().accumulators, engine_socket(accumulator_link));
  binder.bind("tensor_memory", engine_.matrices().operands, engine_socket(operand_link));
  binder.bind("tensor_memory", engine_.copies().cells, engine_socket(copy_link));
  binder.bind("tensor_memory", engine_.shifts, engine_socket(shift_link));
  binder.bind("barrier", engine_.barrier, around.barrier_unit.barrier);
  around.barrier_unit.commit_listener.bind(engine_.commits);
  engine_.owners.bind(allocation_.owners);
  engine_.observer.bind(around.recorder);
  engine_.ctas.bind(around.ctas);
}

void tensor_memory_system::bind_pair(tensor_memory_system& other) {
  allocation_.peer.bind(other.allocation_.pair);
  engine_.peer.bind(other.engine_.pair);
}

bool tensor_memory_system::peek(isa::tensor_address cell, std::uint8_t* destination) {
  tlm::tlm_generic_payload payload;
  fabric::set_attributes(payload, tlm::TLM_READ_COMMAND, tmem::address_of(cell), destination, tmem::cell_bytes);
  return isa::in_tensor_memory(cell) && allocation_.tensor_memory->transport_dbg(payload) == tmem::cell_bytes;
}

void tensor_memory_system::end_cta(std::uint32_t cta_slot, std::uint32_t cta) {
  engine_.end_cta(cta_slot);
  allocation_.end_cta(cta_slot, cta);
}

void tensor_memory_system::describe(std::vector<std::string>& lines) const {
  allocation_.describe(lines);
  engine_.describe(lines);
}

}  // namespace tc::device
