// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <functional>
#include <utility>

#include <systemc>
#include <tlm>

namespace tc::stand_ins {

/// The responses of a base-protocol target: one at a time is between its BEGIN_RESP and its END_RESP (the exclusion rule), others wait.
/// Releases a payload when its response ends.
class response_queue {
 public:
  using payload_type = tlm::tlm_generic_payload;
  /// Called as the response of a payload begins; returns its annotated delay.
  using begin_callback = std::function<sc_core::sc_time(payload_type&)>;

  response_queue(tlm::tlm_target_socket<>& socket, begin_callback begin) : socket_(socket), begin_(std::move(begin)) {}

  bool is_free() const { return responding_ == nullptr; }
  /// A response begins in the call of its request; only if the queue is free.
  void begin_in_call(payload_type& payload) { responding_ = &payload; }
  /// A response may begin.
  void push(payload_type& payload) {
    ready_.push_back(&payload);
    respond();
  }
  /// END_RESP has come.
  void end() {
    release();
    respond();
  }

 private:
  void respond() {
    while (is_free() && !ready_.empty()) {
      responding_ = ready_.front();
      ready_.pop_front();
      tlm::tlm_phase phase = tlm::BEGIN_RESP;
      sc_core::sc_time delay = begin_(*responding_);
      const tlm::tlm_sync_enum result = socket_->nb_transport_bw(*responding_, phase, delay);
      if (result == tlm::TLM_COMPLETED || (result == tlm::TLM_UPDATED && phase == tlm::END_RESP)) release();
    }
  }

  void release() { std::exchange(responding_, nullptr)->release(); }

  tlm::tlm_target_socket<>& socket_;
  begin_callback begin_;
  std::deque<payload_type*> ready_;
  payload_type* responding_ = nullptr;
};

}  // namespace tc::stand_ins
