// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <systemc>
#include <tlm>

#include <tc/fabric/local_time.hpp>
#include <tc/fabric/payload_rules.hpp>

namespace tc::fabric {

/// Checks what passes over one base-protocol link against IEEE 1666-2011, clauses 11, 14 and 15.2 (docs/protocol.md lists the rules), and
/// reports each violation as an error by rule (report::monitor_*). Knows no sockets: whoever carries a call tells it before and after. A
/// transaction that has broken the phase order is forgotten, so that one mistake is reported once.
class base_protocol_rules {
 public:
  using payload_type = tlm::tlm_generic_payload;

  struct options {
    bool address_may_change = false;  ///< an interconnect follows: it may overwrite the address (section 14.7)
  };

  /// A moment of simulation, to tell whether a call has waited.
  struct moment {
    sc_core::sc_time time = local_time::now();
    sc_dt::uint64 delta = sc_core::sc_delta_count();
  };

  /// The arguments of a non-blocking call before it was made, or after it returned.
  struct arguments {
    tlm::tlm_phase phase;
    sc_core::sc_time delay;
    moment when{};
  };

  /// `path` names the link in reports.
  base_protocol_rules(std::string path, const options& allowed);

  /// Around nb_transport_fw: before with what the initiator passes, after with what the target made of it.
  void before_forward(payload_type& payload, const arguments& passed);
  void after_forward(payload_type& payload, const arguments& passed, tlm::tlm_sync_enum result, const arguments& returned);

  /// Around nb_transport_bw. After it the payload may be gone: it is only used as a key.
  void before_backward(payload_type& payload, const arguments& passed);
  void after_backward(payload_type& payload, const arguments& passed, tlm::tlm_sync_enum result, const arguments& returned);

  /// Around b_transport, with the absolute times of the request and of the answer; calls with different payloads may overlap.
  void before_blocking(const payload_type& payload);
  void after_blocking(const payload_type& payload, const request_attributes& sent, const sc_core::sc_time& passed,
                      const sc_core::sc_time& returned);

  /// Around transport_dbg, which returned a number of bytes.
  void before_debug(const payload_type& payload) const;
  void after_debug(const payload_type& payload, const request_attributes& sent, const moment& called, unsigned bytes) const;

  /// Around get_direct_mem_ptr, which granted a region or not, and around invalidate_direct_mem_ptr.
  void before_direct_request(const payload_type& payload) const;
  void after_direct_request(const payload_type& payload, const request_attributes& sent, const moment& called,
                            const tlm::tlm_dmi* granted) const;
  void before_invalidation(sc_dt::uint64 first, sc_dt::uint64 last);
  void after_invalidation() { --invalidations_; }

  /// At the end of a run: every transaction is complete and every payload has been released.
  void check_end() const;

  /// Transactions completed, blocking ones included.
  std::uint64_t transactions() const { return transactions_; }

 private:
  class release_watch;

  enum class progress { requested, accepted, responding };

  struct transaction {
    request_attributes sent;
    sc_core::sc_time last_phase;  // when the latest phase takes effect
    progress at = progress::requested;
    bool in_call = true;
    tlm::tlm_response_status status = tlm::TLM_INCOMPLETE_RESPONSE;  // of a response that has begun
  };

  void violation(const char* rule, std::string_view text) const;
  void out_of_order(payload_type& payload, const std::string& text);

  void check_managed(const payload_type& payload) const;
  void check_request(const payload_type& payload) const;
  void check_unchanged(const payload_type& payload, const request_attributes& sent) const;
  void check_end_of_response(const payload_type& payload, const transaction& running) const;
  void check_instant(const moment& called, const char* call) const;
  void check_response(const payload_type& payload, const request_attributes& sent) const;
  void check_return(const arguments& passed, tlm::tlm_sync_enum result, const arguments& returned) const;

  transaction* find(const payload_type& payload);
  transaction* enter(payload_type& payload, const arguments& passed);
  transaction* leave(payload_type& payload, const arguments& returned);
  void begin_request(payload_type& payload, const arguments& passed);
  void end_request(const payload_type& payload, transaction& running);
  void begin_response(const payload_type& payload, transaction& running);
  void complete(const payload_type& payload);
  void forget(const payload_type& payload);
  void watch_release(payload_type& payload);

  std::string path_;
  options options_;
  std::unordered_map<const payload_type*, transaction> running_;
  std::vector<const payload_type*> blocking_;  // inside b_transport
  unsigned invalidations_ = 0;                 // calls of invalidate_direct_mem_ptr that have not returned
  const payload_type* requesting_ = nullptr;   // the one payload between BEGIN_REQ and END_REQ
  const payload_type* responding_ = nullptr;   // the one payload between BEGIN_RESP and END_RESP
  std::uint64_t transactions_ = 0;
  std::shared_ptr<std::uint64_t> unreleased_ = std::make_shared<std::uint64_t>(0);  // shared with the watches, which may outlive this
};

}  // namespace tc::fabric
