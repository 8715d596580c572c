// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <systemc>

#include <tc/accounting/run_recorder.hpp>
#include <tc/config/machine.hpp>
#include <tc/engine/allocation_unit.hpp>
#include <tc/engine/barrier_unit.hpp>
#include <tc/engine/tensor/tensor_engine.hpp>
#include <tc/fabric/clock_domain.hpp>
#include <tc/links/link_binder.hpp>
#include <tc/links/shared_memory_initiator.hpp>
#include <tc/links/unit_makers.hpp>
#include <tc/subcore/sub_core.hpp>

namespace tc::device {

/// Tensor memory and the units around it, of an SM that has it. Its modules are children of the module that builds it.
class tensor_memory_system {
 public:
  struct params {
    const config::sm_parameters& machine;  ///< which has tensor memory
    std::string path;                      ///< of the module around it
    unsigned sm = 0;                       ///< number of the SM
    bool data = true;                      ///< false: no bytes move, only time passes
    links::tensor_memory_maker maker{};    ///< of the memory; empty: the model
  };

  tensor_memory_system(const params& parameters, fabric::clock_domain& clock);
  ~tensor_memory_system();

  /// What is around it in the SM.
  struct surroundings {
    sc_core::sc_vector<subcore::sub_core>& sub_cores;  ///< one for each chunk
    engine::barrier_unit& barrier_unit;
    accounting::run_recorder& recorder;
    links::resident_ctas& ctas;
  };
  void bind(const surroundings& around, links::link_binder& binder);
  /// For the SM to bind.
  std::vector<links::shared_memory_initiator*> shared_memory_links() {
    return {&allocation_.shared, &engine_.matrices().shared_memory, &engine_.copies().shared_memory};
  }

  /// Tells it that of the other SM of its TPC, with which it works on pairs of CTAs. Needed only where kernels have pairs.
  void bind_pair(tensor_memory_system& other);
  /// Tells it the way to the mbarriers of a cluster.
  void bind_cluster(links::cluster_barriers& barriers) { engine_.cluster.bind(barriers); }

  engine::tensor_engine& engine() { return engine_; }

  /// The 4 bytes of a cell, in no time, over the allocation unit's link; false if tensor memory does not have it.
  bool peek(isa::tensor_address cell, std::uint8_t* destination);

  /// The CTA in this CTA slot, with this number in its grid, has ended.
  void end_cta(std::uint32_t cta_slot, std::uint32_t cta);

  /// A kernel is given up: nobody waits for columns, or for the other CTA of a pair.
  void let_go() { allocation_.let_go(); }
  void begin_kernel() { allocation_.begin_kernel(); }

  /// A unit that something is in flight in, or none.
  const sc_core::sc_object* busy_unit() const {
    if (!allocation_.idle()) return &allocation_;
    return engine_.idle() ? nullptr : &engine_;
  }
  /// Who waits for what, one line for each.
  void describe(std::vector<std::string>& lines) const;

 private:
  /// Links of tensor memory: of the allocation unit, and of the tensor engine.
  enum engine_link : unsigned { allocation_link, accumulator_link, operand_link, copy_link, shift_link, engine_links };
  static_assert(engine_links == links::tensor_memory_site::engine_links);

  links::link_target<links::link_binder::memory_protocol>& engine_socket(engine_link link) {
    return *memory_.sockets[links::tensor_memory_site::chunks + link];
  }

  links::made_memory memory_;
  engine::allocation_unit allocation_;
  engine::tensor_engine engine_;
};

}  // namespace tc::device
