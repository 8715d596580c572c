// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <systemc>
#include <tlm>

#include <gtest/gtest.h>

#include <tc/fabric/clock_domain.hpp>
#include <tc/links/asynchronous_links.hpp>
#include <tc/links/run_observer.hpp>

namespace tc::engine {

/// What comes back on the link of bulk copies, and what is found in shared memory.
class bulk_peer final : public sc_core::sc_module, public links::asynchronous_observer {
 public:
  links::bulk_copy_initiator<bulk_peer> socket{"socket"};

  bulk_peer(const sc_core::sc_module_name& name, fabric::clock_domain& clock) : sc_module(name), clock_(clock) {
    socket.register_nb_transport_bw(this, &bulk_peer::backward);
  }

  void send(links::bulk_copy_transfer what) {
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = clock_.period();
    EXPECT_EQ(socket->nb_transport_fw(what, phase, delay), tlm::TLM_ACCEPTED);
  }

  std::uint64_t read = 0, complete = 0;  ///< cycles, of the latest copy
  std::vector<std::string> findings;

 private:
  tlm::tlm_sync_enum backward(links::bulk_copy_transfer& what, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    EXPECT_EQ(what.owner, this);
    const std::uint64_t cycle = (sc_core::sc_time_stamp() + delay).value() / clock_.period().value();
    if (phase == tlm::END_REQ) read = cycle;
    if (phase == tlm::BEGIN_RESP) complete = cycle;
    return phase == tlm::BEGIN_RESP ? tlm::TLM_COMPLETED : tlm::TLM_ACCEPTED;
  }
  void unordered_read(const links::asynchronous_origin& reader, fabric::proxy_hazard hazard, std::uint64_t address) override {
    findings.push_back((hazard == fabric::proxy_hazard::unfenced ? "unfenced " : "arriving ") + std::to_string(address) + " line " +
                       std::to_string(reader.line));
  }
  void ordering_hazard(const links::asynchronous_origin&, const std::string& what) override { findings.push_back(what); }
  void undefined_read(const links::asynchronous_origin&, std::uint64_t address) override {
    findings.push_back("undefined " + std::to_string(address));
  }

  fabric::clock_domain& clock_;
};

}  // namespace tc::engine
