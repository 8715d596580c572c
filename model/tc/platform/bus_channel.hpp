// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include <systemc>
#include <tlm>

#include <tc/fabric/base_protocol_initiator.hpp>
#include <tc/fabric/payload_pool.hpp>
#include <tc/platform/blocking_callers.hpp>
#include <tc/platform/bus_parameters.hpp>
#include <tc/platform/bus_request.hpp>
#include <tc/platform/direct_regions.hpp>

namespace tc::platform {

/// An outward socket of a bus interface: base protocol, 32 bit. Bind it to any target or interconnect.
using bus_initiator = fabric::base_protocol_initiator;

/// A place for a transaction that is on its way.
struct bus_slot {
  bus_burst burst{};
  tlm::tlm_generic_payload* payload = nullptr;  ///< null: free, from free_at on
  sc_core::sc_time start{}, free_at{};          ///< absolute
  std::vector<unsigned char> byte_enables{};
};

/// What goes over one outward socket: so many transactions at a time, answered in any order, never two at a time whose order matters.
class bus_channel {
 public:
  /// A burst has been answered; the answer is valid at a time, now or later.
  using done_callback = std::function<void(const bus_burst& burst, tlm::tlm_response_status status, const sc_core::sc_time& valid)>;

  bus_channel(bus_initiator& socket, const bus_parameters& parameters, done_callback done);

  /// Whether the burst may leave at `start` at the latest, if nothing else comes before it.
  bool can_send(const bus_burst& burst, const sc_core::sc_time& start) const { return is_independent(burst) && first_free() <= start; }
  /// Whether it depends on no burst that is on its way.
  bool is_independent(const bus_burst& burst) const;
  /// When a place is free (absolute); maximum_time(): not before another answer comes.
  sc_core::sc_time first_free() const;

  /// Sends a burst that can leave at its request's arrival or as soon after as there is a place.
  void send(const bus_burst& burst);

  /// What the socket is to tell when a payload is answered.
  void answered(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay);

  /// Whether the target has granted a pointer for an access.
  bool is_direct(const bus_burst& burst) const;
  /// Accesses memory by it, and returns the latency that the target says.
  sc_core::sc_time reach_directly(const bus_burst& burst);

  /// No transaction is on its way.
  bool idle() const { return pool_.live() == 0; }

  /// Ahead of simulation time by at most this.
  sc_core::sc_time quantum() const;

  std::uint64_t transactions() const { return transactions_; }
  std::uint64_t direct_accesses() const { return direct_accesses_; }

  static sc_core::sc_time maximum_time() { return sc_core::sc_max_time(); }

 private:
  void set_request(bus_slot& slot);
  void call_blocking(bus_slot& slot);

  bus_initiator& socket_;
  const bus_parameters params_;
  done_callback done_;
  fabric::payload_pool pool_;
  std::vector<bus_slot> slots_;
  direct_regions regions_;
  std::unique_ptr<blocking_callers> callers_;  // none: approximate timing
  std::uint64_t transactions_ = 0, direct_accesses_ = 0;
};

}  // namespace tc::platform
