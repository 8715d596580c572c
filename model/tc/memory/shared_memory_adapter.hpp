// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <systemc>

#include <tc/fabric/base_protocol_initiator.hpp>
#include <tc/fabric/clock_domain.hpp>
#include <tc/fabric/extensions.hpp>
#include <tc/fabric/payload_pool.hpp>
#include <tc/fabric/resettable.hpp>
#include <tc/fabric/transfer_pool.hpp>
#include <tc/links/shared_memory_link.hpp>

namespace tc::memory {

/// Stands between a unit of an SM and a shared memory that speaks the TLM-2.0 base protocol (links::link_binder::foreign_shared_memory): it
/// makes a transaction of each run of an access. What such a memory owes is said at memory_target.
class shared_memory_adapter final : public sc_core::sc_module, public fabric::resettable {
 public:
  links::shared_memory_target<shared_memory_adapter> port{"port"};
  fabric::base_protocol_initiator memory;

  /// Without data one transaction tells the time of each wavefront of a warp.
  shared_memory_adapter(const sc_core::sc_module_name& name, bool data, fabric::clock_domain& clock);
  ~shared_memory_adapter() override;

  void reset() override { announces_ = true; }

 private:
  using transfer = links::shared_memory_transfer;
  /// An access until all its runs are done.
  struct pending {
    transfer* access = nullptr;
    unsigned outstanding = 0;  ///< runs, and the call of the unit
  };
  struct request;

  tlm::tlm_sync_enum forward(transfer& what, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  unsigned debug(transfer& what);
  void announce(const transfer& access);
  void change_visibility(const transfer& change);
  tlm::tlm_sync_enum send(transfer& access);
  void send_run(pending& asked, const links::access_run& run, unsigned further_bytes);
  void describe(tlm::tlm_generic_payload& payload, const transfer& access, const links::access_run& run) const;
  void done(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay);
  static void look_at(const tlm::tlm_generic_payload& payload, const links::access_run& run, transfer& access);

  const bool data_;
  fabric::clock_domain& clock_;
  fabric::payload_pool payloads_, notices_;  // a payload that changes visibility, or announces, is used for nothing else
  fabric::transfer_pool<pending> pending_;
  bool announces_ = true;  // until the memory takes no notice of it
};

}  // namespace tc::memory
