// SPDX-License-Identifier: Apache-2.0
#define SC_INCLUDE_DYNAMIC_PROCESSES  // sc_spawn; must precede the first SystemC header
#include "register_target.hpp"

#include <string>
#include <utility>

#include <tc/fabric/reports.hpp>

namespace tc::platform {

namespace {

constexpr unsigned word_bytes = sizeof(std::uint32_t);

fabric::access_rules rules_of(std::uint32_t bytes) {
  fabric::access_rules rules;
  rules.size_bytes = bytes;
  rules.alignment_bytes = rules.max_length_bytes = word_bytes;
  return rules;
}

/// Little endian on any host.
std::uint32_t load_word(const unsigned char* bytes) {
  return std::uint32_t{bytes[0]} | std::uint32_t{bytes[1]} << 8 | std::uint32_t{bytes[2]} << 16 | std::uint32_t{bytes[3]} << 24;
}

void store_word(unsigned char* bytes, std::uint32_t value) {
  for (unsigned i = 0; i < word_bytes; ++i) bytes[i] = static_cast<unsigned char>(value >> 8 * i);
}

std::uint32_t offset_of(const tlm::tlm_generic_payload& payload) { return static_cast<std::uint32_t>(payload.get_address()); }

bool is_in_thread() {
  if (!sc_core::sc_is_running()) return false;
  const sc_core::sc_curr_proc_kind kind = sc_core::sc_get_current_process_handle().proc_kind();
  return kind == sc_core::SC_THREAD_PROC_ || kind == sc_core::SC_CTHREAD_PROC_;
}

}  // namespace

register_target::register_target(const char* name, std::uint32_t bytes, registers owner)
    : passthrough_target_socket_optional(name), rules_(rules_of(bytes)), owner_(std::move(owner)) {
  register_b_transport(this, &register_target::blocking);
  register_nb_transport_fw(this, &register_target::forward);
  register_transport_dbg(this, &register_target::debug);
  sc_core::sc_spawn_options options;
  options.spawn_method();
  options.dont_initialize();
  options.set_sensitivity(&due_);
  sc_core::sc_spawn([this] { on_due(); }, (std::string(name) + "_later").c_str(), &options);
}

/// Answers what cannot be an access, and what asks for nothing.
bool register_target::is_refused(tlm::tlm_generic_payload& payload) {
  tlm::tlm_response_status status = rules_.check(payload);
  if (status == tlm::TLM_OK_RESPONSE && payload.is_write() && !owner_.is_writable(offset_of(payload)))
    status = tlm::TLM_COMMAND_ERROR_RESPONSE;
  payload.set_response_status(status);
  return status != tlm::TLM_OK_RESPONSE || payload.get_command() == tlm::TLM_IGNORE_COMMAND;
}

void register_target::blocking(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  if (is_refused(payload)) return;
  if (delay != sc_core::SC_ZERO_TIME && is_in_thread() && !owner_.is_constant(offset_of(payload)))
    sc_core::wait(std::exchange(delay, sc_core::SC_ZERO_TIME));
  transfer(payload, delay);
}

tlm::tlm_sync_enum register_target::forward(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  if (phase == tlm::BEGIN_REQ) return begin_request(payload, phase, delay);
  if (phase == tlm::END_RESP) return end_response(payload, delay);
  if (!fabric::is_extended(phase))
    fabric::error(fabric::report::target_phase, name(), std::string("unexpected forward phase ") + phase.get_name());
  return tlm::TLM_ACCEPTED;
}

tlm::tlm_sync_enum register_target::begin_request(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  if (is_refused(payload)) return tlm::TLM_COMPLETED;
  if (delay == sc_core::SC_ZERO_TIME || !payload.has_mm() || owner_.is_constant(offset_of(payload))) {
    transfer(payload, delay);
    return tlm::TLM_COMPLETED;
  }
  payload.acquire();
  access later;
  later.of = &payload;
  keep(later, delay);
  phase = tlm::END_REQ;
  return tlm::TLM_UPDATED;
}

tlm::tlm_sync_enum register_target::end_response(const tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay) {
  if (responding_ != &payload) {
    fabric::error(fabric::report::target_phase, name(), "END_RESP was sent, but no response has begun");
    return tlm::TLM_ACCEPTED;
  }
  std::exchange(responding_, nullptr)->release();
  response_end_ = sc_core::sc_time_stamp() + delay;
  if (!answered_.empty()) due_.notify(delay);
  return tlm::TLM_COMPLETED;
}

unsigned register_target::debug(tlm::tlm_generic_payload& payload) {
  const bool transfers = payload.is_read() || payload.is_write();
  if (!transfers || payload.get_data_ptr() == nullptr) return 0;
  if (!rules_.contains(payload.get_address(), payload.get_data_length())) return 0;
  return owner_.debug(payload);
}

/// In a call that does not come back: a write is kept, if it is to act later.
void register_target::transfer(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay) {
  act();
  if (!payload.is_write() || delay == sc_core::SC_ZERO_TIME) return execute(payload, delay);
  access later;
  later.offset = offset_of(payload);
  later.value = load_word(payload.get_data_ptr());
  keep(later, delay);
}

void register_target::execute(tlm::tlm_generic_payload& payload, const sc_core::sc_time& delay) {
  if (payload.is_write())
    owner_.write(offset_of(payload), load_word(payload.get_data_ptr()));
  else
    store_word(payload.get_data_ptr(), owner_.read(offset_of(payload), delay));
}

void register_target::keep(access later, const sc_core::sc_time& delay) {
  later.time = sc_core::sc_time_stamp() + delay;
  later.number = calls_++;
  kept_.push(later);
  due_.notify(kept_.top().time - sc_core::sc_time_stamp());
}

/// What is due by now, and no more.
void register_target::act() {
  const sc_core::sc_time& now = sc_core::sc_time_stamp();
  while (!kept_.empty() && kept_.top().time <= now) {
    const access due = kept_.top();
    kept_.pop();
    if (due.of == nullptr) {
      owner_.write(due.offset, due.value);
    } else {
      execute(*due.of, sc_core::SC_ZERO_TIME);
      answered_.push_back(due.of);
      due_.notify(sc_core::SC_ZERO_TIME);
    }
    owner_.has_acted_later();
  }
  if (!kept_.empty()) due_.notify(kept_.top().time - now);
}

/// One response at a time, from here alone: no answer travels backward in the midst of a call.
void register_target::on_due() {
  act();
  const sc_core::sc_time& now = sc_core::sc_time_stamp();
  while (responding_ == nullptr && !answered_.empty()) {
    if (response_end_ > now) return due_.notify(response_end_ - now);
    tlm::tlm_generic_payload& payload = *answered_.front();
    answered_.pop_front();
    responding_ = &payload;
    tlm::tlm_phase phase = tlm::BEGIN_RESP;
    sc_core::sc_time delay;
    const tlm::tlm_sync_enum result = (*this)->nb_transport_bw(payload, phase, delay);
    if (result == tlm::TLM_ACCEPTED || responding_ != &payload) continue;
    if (result == tlm::TLM_UPDATED && phase != tlm::END_RESP)
      fabric::error(fabric::report::target_phase, name(), std::string("BEGIN_RESP was answered with the phase ") + phase.get_name());
    end_response(payload, delay);
  }
}

}  // namespace tc::platform
