// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include <systemc>
#include <tlm>
#include <tlm_utils/multi_passthrough_target_socket.h>

#include <tc/fabric/access_rules.hpp>
#include <tc/fabric/clock_domain.hpp>
#include <tc/fabric/protocols.hpp>
#include <tc/fabric/statistics.hpp>
#include <tc/platform/bus_channel.hpp>

namespace tc::platform {

/// Between the links of a machine to global memory and the bus of a platform. Nothing but the base protocol on either side: no peer needs
/// an extension, and none of the machine's goes out.
///
/// A request leaves in bursts in the moment in which it arrives, over the sockets that its addresses belong to. It is held back, and with
/// it the END_REQ of its link, while a socket has no place for another transaction, or while one is on its way to the same bytes and either
/// writes: memories therefore see accesses that depend on each other in the order in which they arrived, whatever order they answer in.
/// Requests that wait leave in the order of their arrival; as a link has one request waiting at most, links get their turns. Nothing else
/// takes time here.
///
/// A request that cannot be one, by its attributes, is answered with an error response and goes nowhere; TLM_IGNORE_COMMAND is answered
/// with TLM_OK_RESPONSE. Of the errors that a request's bursts are answered with, the first goes back to its link. Debug transport passes,
/// over all sockets that the addresses belong to. There is no direct access through the interface.
class bus_interface final : public sc_core::sc_module, public fabric::statistics_source {
 public:
  /// Any number of links. More than one request of a link may be on its way, and answers come back in any order.
  tlm_utils::multi_passthrough_target_socket_optional<bus_interface, fabric::base_link_width_bits> port{"port"};
  sc_core::sc_vector<bus_initiator> bus;

  using params = bus_parameters;

  SC_HAS_PROCESS(bus_interface);
  /// `clock`: the machine's, in whose cycles statistics count. Reports parameters that fit no bus.
  bus_interface(const sc_core::sc_module_name& name, const params& parameters, const fabric::clock_domain& clock);
  ~bus_interface() override;

  /// No request is inside.
  bool idle() const { return requests_.size() == free_.size(); }

  void collect(fabric::statistics_sink& sink) const override;

 private:
  /// A link's way back.
  struct link_state {
    std::deque<bus_request*> ready;     // answered, in order; their responses have not begun
    bus_request* responding = nullptr;  // between its BEGIN_RESP and its END_RESP
    sc_core::sc_time free_at{};         // when the latest response ends
  };

  void end_of_elaboration() override;

  tlm::tlm_sync_enum forward(int link, tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay);
  tlm::tlm_sync_enum begin_request(unsigned link, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  tlm::tlm_sync_enum end_response(unsigned link, const tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay);
  void blocking(int link, tlm::tlm_generic_payload& payload, sc_core::sc_time& delay);
  unsigned debug(int link, tlm::tlm_generic_payload& payload);

  bool is_refused(tlm::tlm_generic_payload& payload);
  bool can_reach_directly(bus_request& request, const sc_core::sc_time& delay);
  sc_core::sc_time reach_directly(bus_request& request);
  bus_request& new_request(unsigned link, tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay);
  void free_request(bus_request& request);

  bus_burst next_burst(bus_request& request) const;
  bus_channel& channel_of(sc_dt::uint64 address) { return *channels_[socket_of(address)]; }
  std::size_t socket_of(sc_dt::uint64 address) const;
  void add_arrival(bus_request& request);
  void work();
  void take_arrivals(const sc_core::sc_time& horizon);
  void send_waiting(const sc_core::sc_time& horizon);
  bool send_bursts(bus_request& request, const sc_core::sc_time& horizon);
  void tell_limit(bus_request& request, const bus_burst& burst);
  void count_wait(const bus_request& request);
  void block_rest(bus_request request);
  void end_request(bus_request& request);
  void answered(const bus_burst& burst, tlm::tlm_response_status status, const sc_core::sc_time& valid);
  void respond(bus_request& request);
  void send_responses(unsigned link);
  void hold(unsigned link);
  void wake_at(const sc_core::sc_time& time);

  const params params_;
  const fabric::clock_domain& clock_;
  fabric::access_rules rules_;
  sc_core::sc_event due_{"due"};
  std::vector<std::unique_ptr<bus_channel>> channels_;  // by outward socket
  std::vector<link_state> links_;
  std::vector<std::unique_ptr<bus_request>> requests_;
  std::vector<bus_request*> free_;
  std::vector<bus_request*> arriving_;     // by arrival, those of one time in the order of the calls
  std::vector<bus_request*> waiting_;      // have arrived, in order, and have bursts that have not left
  std::vector<unsigned> held_, released_;  // links that have a response and take none yet, and those that are being looked at again
  std::vector<bool> blocked_;              // sockets that an earlier request waits for

  bool has_told_limit_ = false;
  std::uint64_t accepted_ = 0, bytes_read_ = 0, bytes_written_ = 0, errors_ = 0, limited_ = 0;
  sc_core::sc_time waited_{}, waited_for_place_{};
};

}  // namespace tc::platform
