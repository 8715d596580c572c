#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <systemc>

#include <tc/config/machine.hpp>
#include <tc/engine/allocation_unit.hpp>
#include <tc/fabric/clock_domain.hpp>
#include <tc/subcore/links/link_binder.hpp>
#include <tc/subcore/sub_core.hpp>
#include <tc/tmem/tensor_memory.hpp>

namespace tc::device {

/// Tensor memory and the units around it, of an SM that has it. Its modules are children of the module that builds it.
class tensor_memory_system {
 public:
  /// The machine has tensor memory. `data` false: no bytes move, only time passes.
  tensor_memory_system(const config::sm_parameters& machine, bool data, fabric::clock_domain& clock);
  ~tensor_memory_system();

  /// Binds the sub-cores, of which there is one for each chunk, and the links to shared memory.
  void bind(sc_core::sc_vector<subcore::sub_core>& sub_cores, subcore::link_target<subcore::link_binder::memory_protocol>& shared_memory,
            subcore::link_binder& binder);

  /// The CTA in this CTA slot, with this number in its grid, has ended.
  void end_cta(std::uint32_t cta_slot, std::uint32_t cta) { allocation_.end_cta(cta_slot, cta); }

  bool idle() const { return allocation_.idle(); }
  /// Who waits for what, one line for each.
  void describe(std::vector<std::string>& lines) const { allocation_.describe(lines); }

 private:
  /// Links of tensor memory: of the allocation unit, and of the tensor engine for accumulators, operands and copies.
  enum engine_link : unsigned { allocation_link, accumulator_link, operand_link, copy_link, engine_links };

  tlm::tlm_sync_enum refuse(int link, subcore::warp_instruction& instruction, tlm::tlm_phase& phase, sc_core::sc_time& delay);

  tmem::tensor_memory memory_;
  engine::allocation_unit allocation_;
  subcore::tensor_request_multi_target<tensor_memory_system> requests_{"tensor_requests"};  ///< in the place of the tensor engine
};

}  // namespace tc::device
