// SPDX-License-Identifier: Apache-2.0
#include "base_protocol_rules.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include <tc/fabric/local_time.hpp>
#include <tc/fabric/protocols.hpp>
#include <tc/fabric/reports.hpp>

namespace tc::fabric {

namespace {

sc_core::sc_time effective_time(const base_protocol_rules::arguments& call) { return local_time::now() + call.delay; }

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
  if (legal)
    check_end_of_response(payload, *running);
  else
    out_of_order(payload, std::string("the initiator sent ") + passed.phase.get_name());
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

void base_protocol_rules::before_blocking(const payload_type& payload) {
  if (sc_core::sc_get_current_process_handle().proc_kind() == sc_core::SC_METHOD_PROC_)
    violation(report::monitor_wait, "b_transport was called from a method process");
  if (std::find(blocking_.begin(), blocking_.end(), &payload) != blocking_.end() || find(payload) != nullptr)
    violation(report::monitor_reentry, "b_transport was called with a payload whose transaction is not complete");
  check_request(payload);
  blocking_.push_back(&payload);
}

void base_protocol_rules::after_blocking(const payload_type& payload, const request_attributes& sent, const sc_core::sc_time& passed,
                                         const sc_core::sc_time& returned) {
  if (const auto call = std::find(blocking_.begin(), blocking_.end(), &payload); call != blocking_.end()) blocking_.erase(call);
  ++transactions_;
  if (returned < passed) violation(report::monitor_delay, "b_transport ends before its request arrives");
  check_response(payload, sent);
}

void base_protocol_rules::before_debug(const payload_type& payload) const {
  if (const char* const mistake = mistake_in_debug_request(payload)) violation(report::monitor_debug, mistake);
}

void base_protocol_rules::after_debug(const payload_type& payload, const request_attributes& sent, const moment& called,
                                      unsigned bytes) const {
  check_instant(called, "transport_dbg");
  check_unchanged(payload, sent);
  if (bytes > sent.length) violation(report::monitor_debug, "transport_dbg returned more bytes than asked for");
}

void base_protocol_rules::before_direct_request(const payload_type& payload) const {
  if (const char* const mistake = mistake_in_direct_request(payload)) violation(report::monitor_direct_memory, mistake);
  if (invalidations_ != 0) violation(report::monitor_direct_memory, "get_direct_mem_ptr was called from inside invalidate_direct_mem_ptr");
}

void base_protocol_rules::after_direct_request(const payload_type& payload, const request_attributes& sent, const moment& called,
                                               const tlm::tlm_dmi* granted) const {
  check_instant(called, "get_direct_mem_ptr");
  check_unchanged(payload, sent);
  if (granted == nullptr) return;
  if (const char* const mistake = mistake_in_region(sent, *granted)) violation(report::monitor_direct_memory, mistake);
}

void base_protocol_rules::before_invalidation(sc_dt::uint64 first, sc_dt::uint64 last) {
  ++invalidations_;
  if (first > last) violation(report::monitor_direct_memory, "the region revoked ends before it starts");
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
  if (const char* const mistake = mistake_in_request(payload)) violation(report::monitor_attributes, mistake);
}

void base_protocol_rules::check_response(const payload_type& payload, const request_attributes& sent) const {
  const tlm::tlm_response_status status = payload.get_response_status();
  if (status == tlm::TLM_INCOMPLETE_RESPONSE) violation(report::monitor_response, "no response status was set");
  if (!is_known_status(status)) violation(report::monitor_response, "the response status is unknown");
  check_unchanged(payload, sent);
}

void base_protocol_rules::check_unchanged(const payload_type& payload, const request_attributes& sent) const {
  if (const char* const change = changed_attribute(sent, payload, options_.address_may_change)) violation(report::monitor_modified, change);
  if (lost_extension(sent, payload)) violation(report::monitor_extension, "an extension of the request was removed or replaced");
}

/// Until then the response belongs to the target, and the attributes to the transaction.
void base_protocol_rules::check_end_of_response(const payload_type& payload, const transaction& running) const {
  if (payload.get_response_status() != running.status)
    violation(report::monitor_modified, "the response status was changed before END_RESP");
  check_unchanged(payload, running.sent);
}

void base_protocol_rules::check_instant(const moment& called, const char* call) const {
  const moment now;
  if (now.time != called.time || now.delta != called.delta) violation(report::monitor_wait, std::string(call) + " waited");
}

void base_protocol_rules::check_return(const arguments& passed, tlm::tlm_sync_enum result, const arguments& returned) const {
  check_instant(passed.when, "nb_transport");
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
  if (std::find(blocking_.begin(), blocking_.end(), &payload) != blocking_.end())
    violation(report::monitor_reentry, "BEGIN_REQ was sent with a payload that is inside b_transport");
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
  running.status = payload.get_response_status();
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
