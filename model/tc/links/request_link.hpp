// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <functional>
#include <utility>

#include <systemc>
#include <tlm>

#include <fmt/format.h>

#include <tc/fabric/clock_domain.hpp>
#include <tc/fabric/reports.hpp>
#include <tc/fabric/transfer_sockets.hpp>
#include <tc/links/arrival_cycle.hpp>

namespace tc::links {

using fabric::cycle_t;

/// A request over a link of the tensor unit, which is answered once.
///
/// nb_transport_fw with BEGIN_REQ. Time is in the request, in cycles of the SM clock; the annotated delay is zero. The sender sets
/// `complete` to `arrival`, and a unit that takes time of its own sets it later. The request stays where it is until the answer:
///
///   TLM_COMPLETED   done.
///   TLM_UPDATED     the same, with the phase BEGIN_RESP.
///   TLM_ACCEPTED    the answer follows: nb_transport_bw with BEGIN_RESP, which is answered TLM_COMPLETED, and ends the transaction. It is
///                   complete then at the earliest.
///
/// Several requests may be under way, and be answered in any order.
struct timed_request {
  cycle_t arrival = 0;    ///< what it brings, or needs, is there
  cycle_t complete = 0;   ///< so is what was asked for
  bool is_asked = false;  ///< and not answered; the sender's own, as request_initiator keeps it
};

/// The initiator's end of a link of requests: sends them, and takes each answer once.
template <class Protocol>
class request_initiator final : public fabric::transfer_initiator<request_initiator<Protocol>, Protocol> {
 public:
  using request = typename Protocol::tlm_payload_type;

  explicit request_initiator(const char* name) : fabric::transfer_initiator<request_initiator<Protocol>, Protocol>(name) {
    this->register_nb_transport_bw(this, &request_initiator::take_answer);
  }

  /// During construction: `answered` is called with each request whose answer comes in a call of its own. An answer that breaks the rules
  /// is reported, under this type, by the module that has the socket. The clock outlives it.
  void answer_to(const fabric::clock_domain& clock, const char* report, std::function<void(request&)> answered) {
    clock_ = &clock;
    report_ = report;
    answered_ = std::move(answered);
  }

  /// Sends requests over a link. A module keeps those of its links side by side: what it needs of each is two words.
  class sender {
   public:
    sender() = default;
    /// From the end of elaboration on.
    explicit sender(request_initiator& link) : bound_(&link.bound()), link_(&link) {}

    /// Sends a request. Returns whether it has been answered.
    bool ask(request& asked) const {
      asked.complete = asked.arrival;
      asked.is_asked = true;
      tlm::tlm_phase phase = tlm::BEGIN_REQ;
      sc_core::sc_time delay;
      const tlm::tlm_sync_enum answer = bound_->nb_transport_fw(asked, phase, delay);
      return answer != tlm::TLM_ACCEPTED && link_->ends(asked, answer == tlm::TLM_COMPLETED ? tlm::BEGIN_RESP : phase);
    }

   private:
    typename request_initiator::bound_interface* bound_ = nullptr;
    request_initiator* link_ = nullptr;
  };

  bool ask(request& asked) { return sender(*this).ask(asked); }

 private:
  tlm::tlm_sync_enum take_answer(request& asked, tlm::tlm_phase& phase, sc_core::sc_time&) {
    asked.complete = std::max(asked.complete, next_cycle(*clock_));
    if (ends(asked, phase)) answered_(asked);
    return tlm::TLM_COMPLETED;
  }

  bool ends(request& asked, const tlm::tlm_phase& phase) {
    if (phase == tlm::BEGIN_RESP && std::exchange(asked.is_asked, false)) return true;
    report_answer(asked.is_asked, phase);
    return false;
  }
  [[gnu::noinline]] void report_answer(bool is_first, const tlm::tlm_phase& phase) {
    fabric::fault(report_, *this->get_parent_object(), clock_->cycle(),
                  fmt::format("{}: a request is answered once, with BEGIN_RESP, and this is {} {}", this->basename(),
                              is_first ? "its first answer," : "another answer,", phase.get_name()));
  }

  const fabric::clock_domain* clock_ = nullptr;
  const char* report_ = nullptr;
  std::function<void(request&)> answered_;
};

}  // namespace tc::links
