// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include <systemc>

#include <tc/fabric/base_protocol_initiator.hpp>
#include <tc/fabric/clock_domain.hpp>
#include <tc/fabric/payload_pool.hpp>
#include <tc/fabric/resettable.hpp>
#include <tc/fabric/transfer_pool.hpp>
#include <tc/links/bank_protocol.hpp>
#include <tc/links/link_binder.hpp>
#include <tc/subcore/operands/writes_on_the_way.hpp>

namespace tc::subcore {

/// Stands between a sub-core and a register bank that speaks the TLM-2.0 base protocol (IEEE 1666-2011, section 15): it makes a
/// transaction of each range of a bank_transfer. The bank has two links, 32 bit wide, "bank_read" and "bank_write", and "accumulator" where
/// it is used.
///
/// Content. Row r of the bank, 32 lanes of 32 bit with lane 0 first, lies at byte address r * row_bytes. A transaction moves whole rows:
/// address and data length are multiples of row_bytes, and the streaming width is the data length. A read has no byte enables. A write may
/// have row_bytes of them, equal for the four bytes of a lane, and repeated for each row: disabled lanes keep what they hold.
///
/// Time. A request arrives at its annotated delay. The answer may come in the call or in phases of its own, and its annotated delay counts.
/// When a bank must answer is said at bank_protocol. A bank knows of no bypass network: the adapter has it, and brings to a read what is
/// written until it ends.
///
/// Extensions (fabric::warp_tag) may be ignored.
class bank_adapter final : public sc_core::sc_module, public fabric::resettable {
 public:
  fabric::transfer_target<links::bank_protocol> read{"read"}, write{"write"}, accumulator{"accumulator"};

  /// `sockets` are those of the bank, two or three; they are bound through the binder.
  bank_adapter(const sc_core::sc_module_name& name, const std::vector<links::link_target<links::link_binder::memory_protocol>*>& sockets,
               fabric::clock_domain& clock, links::link_binder& binder);
  ~bank_adapter() override;

  void reset() override { on_the_way_.clear(); }

 private:
  enum port { read_port, write_port, accumulator_port };
  struct request;
  /// A bank_transfer until all its ranges are done.
  struct pending {
    links::bank_transfer* transfer = nullptr;
    port from = read_port;
    unsigned outstanding = 0;  ///< ranges, and the call of the sub-core
  };

  template <port Port>
  tlm::tlm_sync_enum forward(links::bank_transfer& transfer, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  tlm::tlm_sync_enum send(port from, links::bank_transfer& transfer);
  void send_range(pending& asked, const links::row_range& range);
  void set_write(tlm::tlm_generic_payload& payload, request& asked, const links::row_range& range);
  void finish(pending& asked);
  void done(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay);
  fabric::transfer_target<links::bank_protocol>& socket_of(port number);
  unsigned debug(links::bank_transfer& transfer);

  fabric::clock_domain& clock_;
  std::vector<std::unique_ptr<fabric::base_protocol_initiator>> bank_;  ///< by port
  fabric::payload_pool payloads_;
  fabric::transfer_pool<pending> pending_;
  writes_on_the_way on_the_way_;
};

}  // namespace tc::subcore
