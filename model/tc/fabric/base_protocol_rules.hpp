#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include <systemc>
#include <tlm>

namespace tc::fabric {

/// Checks what passes over one base-protocol link against IEEE 1666-2011, sections 14 and 15.2, and reports each violation as an error
/// by rule (report::monitor_*). Knows no sockets: whoever carries a call tells it before and after. A transaction that has broken the
/// phase order is forgotten, so that one mistake is reported once.
class base_protocol_rules {
 public:
  using payload_type = tlm::tlm_generic_payload;

  struct options {
    bool address_may_change = false;  ///< an interconnect follows: it may overwrite the address (section 14.7)
  };

  /// The attributes that only the initiator may set, as they were in the request.
  struct request_attributes {
    explicit request_attributes(const payload_type& payload);

    tlm::tlm_command command;
    sc_dt::uint64 address;
    const unsigned char* data;
    unsigned length;
    unsigned streaming_width;
    const unsigned char* byte_enable;
    unsigned byte_enable_length;
    std::uint64_t written;  ///< hash of the data of a write; 0 otherwise
  };

  /// The arguments of a non-blocking call before it was made.
  struct arguments {
    tlm::tlm_phase phase;
    sc_core::sc_time delay;
  };

  /// `path` names the link in reports.
  base_protocol_rules(std::string path, const options& allowed);

  /// Around nb_transport_fw: before with what the initiator passes, after with what the target made of it.
  void before_forward(payload_type& payload, const arguments& passed);
  void after_forward(payload_type& payload, const arguments& passed, tlm::tlm_sync_enum result, const arguments& returned);

  /// Around nb_transport_bw. After it the payload may be gone: it is only used as a key.
  void before_backward(payload_type& payload, const arguments& passed);
  void after_backward(payload_type& payload, const arguments& passed, tlm::tlm_sync_enum result, const arguments& returned);

  /// Around b_transport, with the absolute times of the request and of the answer; several blocking calls may overlap.
  void before_blocking(const payload_type& payload) const;
  void after_blocking(const payload_type& payload, const request_attributes& sent, const sc_core::sc_time& passed,
                      const sc_core::sc_time& returned);

  /// After transport_dbg returned a number of bytes.
  void after_debug(const payload_type& payload, unsigned bytes) const;

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
  };

  void violation(const char* rule, std::string_view text) const;
  void out_of_order(payload_type& payload, const std::string& text);

  void check_managed(const payload_type& payload) const;
  void check_request(const payload_type& payload) const;
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
  const payload_type* requesting_ = nullptr;  // the one payload between BEGIN_REQ and END_REQ
  const payload_type* responding_ = nullptr;  // the one payload between BEGIN_RESP and END_RESP
  std::uint64_t transactions_ = 0;
  std::shared_ptr<std::uint64_t> unreleased_ = std::make_shared<std::uint64_t>(0);  // shared with the watches, which may outlive this
};

}  // namespace tc::fabric
