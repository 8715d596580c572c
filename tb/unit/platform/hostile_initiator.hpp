// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include <systemc>
#include <tlm>
#include <tlm_utils/simple_initiator_socket.h>

#include <tc/fabric/payload_pool.hpp>

namespace tc::platform::test {

/// An initiator that keeps to no rule: requests with any attributes and delays, phases out of order and unknown ones, blocking and
/// non-blocking calls in turn, payloads without a memory manager, debug transport and direct access with nonsense. What it points to
/// exists, and what it has sent lives until the answer; less cannot be survived.
class hostile_initiator final : public sc_core::sc_module {
 public:
  struct params {
    unsigned seed = 1;
    sc_dt::uint64 bytes = 4096;  ///< addresses of the target; accesses by the rules go to the last of them
    unsigned word_bytes = 4;     ///< of an access by the rules
  };

  tlm_utils::simple_initiator_socket<hostile_initiator> socket{"socket"};

  hostile_initiator(const sc_core::sc_module_name& module_name, const params& parameters)
      : sc_module(module_name), params_(parameters), random_(parameters.seed) {
    socket.register_nb_transport_bw(this, &hostile_initiator::backward);
  }

  /// In a thread. Every report of the target is caught and counted.
  void attack(unsigned calls) {
    for (unsigned i = 0; i < calls; ++i) {
      try {
        attack_once();
      } catch (const sc_core::sc_report&) {
        ++reports;
      }
    }
  }

  /// Ends all responses that have begun, until none is to come; false if one never does.
  bool settle() {
    for (unsigned i = 0; i < 10000 && (outstanding != 0 || !responding_.empty()); ++i) {
      while (!responding_.empty()) end_response();
      sc_core::wait(sc_core::sc_time(3600, sc_core::SC_SEC));
    }
    return outstanding == 0;
  }

  /// In a thread: a write and a read by the rules, where no attack goes; true if they do what they should.
  bool works() {
    std::vector<unsigned char> written(params_.word_bytes), read(params_.word_bytes);
    for (unsigned char& byte : written) byte = static_cast<unsigned char>(pick(256));
    return access(tlm::TLM_WRITE_COMMAND, written) && access(tlm::TLM_READ_COMMAND, read) && read == written;
  }

  unsigned reports = 0;
  unsigned outstanding = 0;  ///< requests that are not answered

 private:
  unsigned pick(std::size_t count) { return static_cast<unsigned>(random_() % count); }

  void attack_once() {
    switch (pick(8)) {
      case 0:
      case 1:
      case 2:
        return begin_request();
      case 3:
        return call_blocking();
      case 4:
        return send_stray_phase();
      case 5:
        return use_debug();
      case 6:
        return ask_for_pointer();
      default:
        if (!responding_.empty()) end_response();
        sc_core::wait(random_delay());
    }
  }

  sc_core::sc_time random_delay() {
    static constexpr std::array<double, 5> scales{0, 1, 100, 1e9, 3.6e13};
    return {static_cast<double>(1 + pick(10)) * scales[pick(scales.size())], sc_core::SC_NS};
  }

  /// Any attributes; the bytes behind pointers are there.
  void spoil(tlm::tlm_generic_payload& payload) {
    static constexpr std::array<unsigned, 9> lengths{0, 1, 3, 4, 32, 64, 128, 256, 300};
    const sc_dt::uint64 half = params_.bytes / 2, last = std::numeric_limits<sc_dt::uint64>::max();
    payload.set_command(static_cast<tlm::tlm_command>(pick(4)));
    payload.set_address(pick(3) != 0 ? random_() % (half - 512) / 4 * 4 : last - pick(512));
    payload.set_data_length(lengths[pick(lengths.size())]);
    payload.set_data_ptr(pick(8) == 0 ? nullptr : data_.data());
    if (payload.get_data_ptr() == nullptr && pick(2) == 0) payload.set_data_length(std::numeric_limits<unsigned>::max());
    payload.set_streaming_width(pick(3) == 0 ? pick(300) : payload.get_data_length());
    for (unsigned char& enable : enables_) enable = static_cast<unsigned char>(pick(4) == 0 ? random_() : pick(2) * 0xff);
    payload.set_byte_enable_ptr(pick(3) == 0 ? enables_.data() : nullptr);
    payload.set_byte_enable_length(pick(enables_.size() + 1));
    payload.set_dmi_allowed(pick(4) == 0);
    payload.set_response_status(pick(4) == 0 ? tlm::TLM_OK_RESPONSE : tlm::TLM_INCOMPLETE_RESPONSE);
  }

  void begin_request() {
    if (pick(16) == 0) {
      tlm::tlm_generic_payload unmanaged;
      spoil(unmanaged);
      return forward(unmanaged, tlm::BEGIN_REQ);
    }
    tlm::tlm_generic_payload& payload = pool_.get();
    spoil(payload);
    ++outstanding;
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = random_delay();
    const tlm::tlm_sync_enum result = socket->nb_transport_fw(payload, phase, delay);
    if (result == tlm::TLM_COMPLETED) return done(payload);
    if (result == tlm::TLM_UPDATED && phase == tlm::BEGIN_RESP) responding_.push_back(&payload);
  }

  void call_blocking() {
    tlm::tlm_generic_payload unmanaged;
    spoil(unmanaged);
    sc_core::sc_time delay = random_delay();
    socket->b_transport(unmanaged, delay);
  }

  void send_stray_phase() {
    DECLARE_EXTENDED_PHASE(of_another_protocol);
    const std::array<tlm::tlm_phase, 6> phases{tlm::UNINITIALIZED_PHASE, tlm::END_REQ, tlm::BEGIN_RESP, tlm::END_RESP, tlm::END_RESP,
                                               of_another_protocol};
    tlm::tlm_generic_payload& payload = pool_.get();
    spoil(payload);
    try {
      forward(payload, phases[pick(phases.size())]);
    } catch (const sc_core::sc_report&) {
      ++reports;
    }
    payload.release();
  }

  void use_debug() {
    tlm::tlm_generic_payload payload;
    spoil(payload);
    socket->transport_dbg(payload);
  }

  void ask_for_pointer() {
    tlm::tlm_generic_payload payload;
    spoil(payload);
    tlm::tlm_dmi region;
    socket->get_direct_mem_ptr(payload, region);
  }

  void forward(tlm::tlm_generic_payload& payload, tlm::tlm_phase phase) {
    sc_core::sc_time delay = random_delay();
    socket->nb_transport_fw(payload, phase, delay);
  }

  tlm::tlm_sync_enum backward(tlm::tlm_generic_payload& payload, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
    if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
    switch (pick(3)) {
      case 0:
        responding_.push_back(&payload);
        return tlm::TLM_ACCEPTED;
      case 1:
        phase = tlm::END_RESP;
        delay += random_delay();
        done(payload);
        return tlm::TLM_UPDATED;
      default:
        done(payload);
        return tlm::TLM_COMPLETED;
    }
  }

  void end_response() {
    tlm::tlm_generic_payload& payload = *responding_.back();
    responding_.pop_back();
    forward(payload, tlm::END_RESP);
    done(payload);
  }

  void done(tlm::tlm_generic_payload& payload) {
    --outstanding;
    payload.release();
  }

  bool access(tlm::tlm_command command, std::vector<unsigned char>& bytes) {
    tlm::tlm_generic_payload payload;
    const auto length = static_cast<unsigned>(bytes.size());
    fabric::set_attributes(payload, command, params_.bytes - length, bytes.data(), length);
    sc_core::sc_time delay;
    socket->b_transport(payload, delay);
    sc_core::wait(delay);
    return payload.is_response_ok();
  }

  const params params_;
  std::mt19937 random_;
  fabric::payload_pool pool_;
  std::array<unsigned char, 512> data_{};
  std::array<unsigned char, 64> enables_{};
  std::vector<tlm::tlm_generic_payload*> responding_;  // their END_RESP is to come
};

}  // namespace tc::platform::test
