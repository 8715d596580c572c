#include "base_protocol_rules.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <tc/fabric/protocols.hpp>
#include <tc/fabric/reports.hpp>

namespace tc::fabric {

namespace {

/// FNV-1a: enough to notice that write data was changed.
std::uint64_t hash(const unsigned char* data, unsigned length) {
  std::uint64_t value = 0xcbf29ce484222325;
  for (unsigned i = 0; i < length; ++i) value = (value ^ data[i]) * 0x100000001b3;
  return value;
}

bool has_illegal_byte_enable(const tlm::tlm_generic_payload& payload) {
  const unsigned char* enable = payload.get_byte_enable_ptr();
  return std::any_of(enable, enable + payload.get_byte_enable_length(),
                     [](unsigned char byte) { return byte != TLM_BYTE_ENABLED && byte != TLM_BYTE_DISABLED; });
}

sc_core::sc_time effective_time(const base_protocol_rules::arguments& call) { return sc_core::sc_time_stamp() + call.delay; }

}  // namespace

/// Attached to a payload with the lifetime of one use: the memory manager's reset() frees it when the last reference has been released,
/// so the count can be checked without ever touching a payload that may be gone. Several monitors on the way of one payload share it.
class base_protocol_rules::release_watch final : public tlm::tlm_extension<release_watch> {
 public:
  void add(const std::shared_ptr<std::uint64_t>& unreleased) {
    if (std::find(watchers_.begin(), watchers_.end(), unreleased) != watchers_.end()) return;
    watchers_.push_back(unreleased);
    ++*unreleased;
  }

  void free() override {
    for (const auto& unreleased : watchers_) --*unreleased;
    delete this;
  }

  tlm::tlm_extension_base* clone() const override { return nullptr; }  // a copy of the payload is another payload
  void copy_from(const tlm::tlm_extension_base&) override {}

 private:
  std::vector<std::shared_ptr<std::uint64_t>> watchers_;
};

base_protocol_rules::request_attributes::request_attributes(const payload_type& payload)
    : command(payload.get_command()),
      address(payload.get_address()),
      data(payload.get_data_ptr()),
      length(payload.get_data_length()),
      streaming_width(payload.get_streaming_width()),
      byte_enable(payload.get_byte_enable_ptr()),
      byte_enable_length(payload.get_byte_enable_length()),
      written(payload.is_write() && data != nullptr ? hash(data, length) : 0) {}

base_protocol_rules::base_protocol_rules(std::string path, const options& allowed) : path_(std::move(path)), options_(allowed) {}

void base_protocol_rules::before_forward(payload_type& payload, const arguments& passed) {
  check_managed(payload);
  if (is_extended(passed.phase)) return;
  if (passed.phase == tlm::BEGIN_REQ) {
    begin_request(payload, passed);
    return;
  }
  const transaction* running = enter(payload, passed);
  const bool legal = passed.phase == tlm::END_RESP && running != nullptr && running->at == progress::responding;
  if (!legal) out_of_order(payload, std::string("the initiator sent ") + passed.phase.get_name());
}

void base_protocol_rules::after_forward(payload_type& payload, const arguments& passed, tlm::tlm_sync_enum result,
                                        const arguments& returned) {
  check_return(passed, result, returned);
  transaction* running = leave(payload, returned);
  if (running == nullptr || is_extended(passed.phase)) return;

  const bool updated = result == tlm::TLM_UPDATED;
  if (passed.phase == tlm::END_RESP) {
    complete(payload);
    if (updated) out_of_order(payload, "END_RESP was answered with TLM_UPDATED");
  } else if (result == tlm::TLM_COMPLETED) {
    check_response(payload, running->sent);
    complete(payload);
  } else if (updated && returned.phase == tlm::END_REQ) {
    end_request(payload, *running);
  } else if (updated && returned.phase == tlm::BEGIN_RESP) {
    end_request(payload, *running);
    begin_response(payload, *running);
  } else if (updated) {
    out_of_order(payload, std::string("BEGIN_REQ was answered with ") + returned.phase.get_name());
  }
}

void base_protocol_rules::before_backward(payload_type& payload, const arguments& passed) {
  check_managed(payload);
  if (is_extended(passed.phase)) return;
  transaction* running = enter(payload, passed);
  if (running != nullptr && passed.phase == tlm::END_REQ && running->at == progress::requested) {
    end_request(payload, *running);
  } else if (running != nullptr && passed.phase == tlm::BEGIN_RESP && running->at != progress::responding) {
    end_request(payload, *running);  // implied, if it was not sent
    begin_response(payload, *running);
  } else {
    out_of_order(payload, std::string("the target sent ") + passed.phase.get_name());
  }
}

void base_protocol_rules::after_backward(payload_type& payload, const arguments& passed, tlm::tlm_sync_enum result,
                                         const arguments& returned) {
  check_return(passed, result, returned);
  const transaction* running = leave(payload, returned);
  if (running == nullptr || is_extended(passed.phase) || result == tlm::TLM_ACCEPTED) return;

  const bool ends_response = result == tlm::TLM_COMPLETED || returned.phase == tlm::END_RESP;
  if (passed.phase == tlm::BEGIN_RESP && ends_response) {
    complete(payload);
  } else {
    out_of_order(payload, std::string(passed.phase.get_name()) + " was answered with another phase or TLM_COMPLETED");
  }
}

void base_protocol_rules::before_blocking(const payload_type& payload) const { check_request(payload); }

void base_protocol_rules::after_blocking(const payload_type& payload, const request_attributes& sent, const sc_core::sc_time& passed,
                                         const sc_core::sc_time& returned) {
  ++transactions_;
  if (returned < passed) violation(report::monitor_delay, "b_transport ends before its request arrives");
  check_response(payload, sent);
}

void base_protocol_rules::after_debug(const payload_type& payload, unsigned bytes) const {
  if (bytes > payload.get_data_length()) violation(report::monitor_debug, "transport_dbg returned more bytes than asked for");
}

void base_protocol_rules::check_end() const {
  if (!running_.empty()) violation(report::monitor_incomplete, std::to_string(running_.size()) + " transactions are not complete");
  if (*unreleased_ != 0) violation(report::monitor_reference_count, std::to_string(*unreleased_) + " payloads were not released");
}

void base_protocol_rules::violation(const char* rule, std::string_view text) const { error(rule, path_, text); }

void base_protocol_rules::out_of_order(payload_type& payload, const std::string& text) {
  forget(payload);
  violation(report::monitor_phase_order, text);
}

void base_protocol_rules::check_managed(const payload_type& payload) const {
  if (!payload.has_mm()) {
    violation(report::monitor_memory_manager, "the payload of a non-blocking call has no memory manager");
  } else if (payload.get_ref_count() < 1) {
    violation(report::monitor_memory_manager, "nobody holds a reference to the payload");
  }
}

void base_protocol_rules::check_request(const payload_type& payload) const {
  const auto require = [this](bool legal, const char* text) {
    if (!legal) violation(report::monitor_attributes, text);
  };
  require(payload.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE, "the response status of a request is not TLM_INCOMPLETE_RESPONSE");
  require(!payload.is_dmi_allowed(), "the DMI hint of a request is set");
  if (payload.get_command() == tlm::TLM_IGNORE_COMMAND) return;
  require(payload.is_read() || payload.is_write(), "the command is unknown");
  require(payload.get_data_ptr() != nullptr, "the data pointer is null");
  require(payload.get_data_length() > 0, "the data length is 0");
  require(payload.get_streaming_width() > 0, "the streaming width is 0");
  if (payload.get_byte_enable_ptr() == nullptr) return;
  require(payload.get_byte_enable_length() > 0, "the byte enable length is 0");
  require(!has_illegal_byte_enable(payload), "a byte enable is neither 0 nor 0xff");
}

void base_protocol_rules::check_response(const payload_type& payload, const request_attributes& sent) const {
  const auto require = [this](bool same, const char* text) {
    if (!same) violation(report::monitor_modified, text);
  };
  const request_attributes now(payload);
  if (payload.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE) violation(report::monitor_response, "no response status was set");
  require(now.command == sent.command, "the command was changed");
  require(now.address == sent.address || options_.address_may_change, "the address was changed");
  require(now.data == sent.data, "the data pointer was changed");
  require(now.length == sent.length, "the data length was changed");
  require(now.streaming_width == sent.streaming_width, "the streaming width was changed");
  require(now.byte_enable == sent.byte_enable, "the byte enable pointer was changed");
  require(now.byte_enable_length == sent.byte_enable_length, "the byte enable length was changed");
  require(now.written == sent.written, "the data of a write was changed");
}

void base_protocol_rules::check_return(const arguments& passed, tlm::tlm_sync_enum result, const arguments& returned) const {
  if (returned.delay < passed.delay) violation(report::monitor_delay, "the call returned a smaller delay than it was given");
  if (result != tlm::TLM_ACCEPTED) return;
  if (returned.delay != passed.delay) violation(report::monitor_delay, "the delay was changed with TLM_ACCEPTED");
  if (returned.phase != passed.phase) violation(report::monitor_phase_order, "the phase was changed with TLM_ACCEPTED");
}

base_protocol_rules::transaction* base_protocol_rules::find(const payload_type& payload) {
  const auto found = running_.find(&payload);
  return found == running_.end() ? nullptr : &found->second;
}

/// The running transaction a call belongs to, if any. Calls of one transaction neither nest nor go back in time.
base_protocol_rules::transaction* base_protocol_rules::enter(payload_type& payload, const arguments& passed) {
  transaction* running = find(payload);
  if (running == nullptr) return nullptr;
  if (running->in_call) violation(report::monitor_reentry, "called from inside another call of the same transaction");
  if (effective_time(passed) < running->last_phase) violation(report::monitor_delay, "the phase takes effect before the previous one");
  running->in_call = true;
  running->last_phase = effective_time(passed);
  return running;
}

base_protocol_rules::transaction* base_protocol_rules::leave(payload_type& payload, const arguments& returned) {
  transaction* running = find(payload);
  if (running == nullptr) return nullptr;
  running->in_call = false;
  running->last_phase = effective_time(returned);
  return running;
}

void base_protocol_rules::begin_request(payload_type& payload, const arguments& passed) {
  check_request(payload);
  if (find(payload) != nullptr) {
    out_of_order(payload, "BEGIN_REQ was sent with a payload whose transaction is not complete");
  } else if (requesting_ != nullptr) {
    violation(report::monitor_exclusion, "BEGIN_REQ was sent before the previous request ended");
  }
  running_.emplace(&payload, transaction{request_attributes(payload), effective_time(passed)});
  requesting_ = &payload;
  watch_release(payload);
}

void base_protocol_rules::end_request(const payload_type& payload, transaction& running) {
  running.at = progress::accepted;
  if (requesting_ == &payload) requesting_ = nullptr;
}

void base_protocol_rules::begin_response(const payload_type& payload, transaction& running) {
  if (responding_ != nullptr) violation(report::monitor_exclusion, "BEGIN_RESP was sent before the previous response ended");
  running.at = progress::responding;
  responding_ = &payload;
  check_response(payload, running.sent);
}

void base_protocol_rules::complete(const payload_type& payload) {
  ++transactions_;
  forget(payload);
}

void base_protocol_rules::forget(const payload_type& payload) {
  running_.erase(&payload);
  if (requesting_ == &payload) requesting_ = nullptr;
  if (responding_ == &payload) responding_ = nullptr;
}

void base_protocol_rules::watch_release(payload_type& payload) {
  if (!payload.has_mm()) return;
  auto* watch = payload.get_extension<release_watch>();
  if (watch == nullptr) {
    watch = new release_watch;
    payload.set_auto_extension(watch);
  }
  watch->add(unreleased_);
}

}  // namespace tc::fabric
