// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <functional>
#include <limits>
#include <unordered_map>
#include <utility>
#include <vector>

#include <systemc>
#include <tlm>

#include "answering_port.hpp"

namespace tc::stand_ins {

/// A memory as a user of the library would bring one: it knows the base protocol and nothing else of the model. Bytes read
/// zero until they are written. An access takes effect in the moment it arrives, whatever its annotated delay, and is answered later by
/// its latency. It never reads an extension.
class plain_memory final : public sc_core::sc_module {
 public:
  struct params {
    unsigned ports = 1;
    answer_style style = answer_style::completed;
    std::vector<answer_style> styles{};                               ///< by port, where they are not the same
    sc_dt::uint64 bytes = std::numeric_limits<sc_dt::uint64>::max();  ///< addresses from here on do not exist
    /// From the arrival of an access to its answer.
    answering_port::latency_callback latency = [](const auto&) { return sc_core::SC_ZERO_TIME; };
    /// What it does to a payload besides: a target may change any ignorable extension.
    std::function<void(tlm::tlm_generic_payload&)> spoil = [](auto&) {};
    /// Whether it answers an access over a port with an error, without doing it; also one of debug transport.
    std::function<bool(unsigned port, const tlm::tlm_generic_payload&)> refuses = [](unsigned, const auto&) { return false; };
  };

  sc_core::sc_vector<answering_port> port;  ///< bind port[i].socket

  plain_memory(const sc_core::sc_module_name& module_name, const params& parameters)
      : sc_module(module_name),
        port("port", parameters.ports,
             [&](const char* child, std::size_t i) {
               return new answering_port(
                   child, parameters.styles.empty() ? parameters.style : parameters.styles.at(i),
                   [this, i](auto& payload, const auto& arrival) { access(static_cast<unsigned>(i), payload, arrival); },
                   parameters.latency, [this, i](auto& payload) { return debug(static_cast<unsigned>(i), payload); });
             }),
        spoil_(parameters.spoil),
        refuses_(parameters.refuses),
        size_(parameters.bytes) {}

  /// Accesses executed so far, without those of debug transport.
  unsigned reads() const { return reads_; }
  unsigned writes() const { return writes_; }

 private:
  using address = sc_dt::uint64;
  using byte = unsigned char;

  /// A write that has been announced for a time to come.
  struct future_write {
    sc_core::sc_time arrival;
    address at;
    byte value;
  };

  bool contains(const tlm::tlm_generic_payload& payload) const {
    return payload.get_address() <= size_ && payload.get_data_length() <= size_ - payload.get_address();
  }

  static bool is_enabled(const tlm::tlm_generic_payload& payload, unsigned i) {
    const byte* enables = payload.get_byte_enable_ptr();
    return enables == nullptr || enables[i % payload.get_byte_enable_length()] == TLM_BYTE_ENABLED;
  }

  void access(unsigned link, tlm::tlm_generic_payload& payload, const sc_core::sc_time& arrival) {
    settle(sc_core::sc_time_stamp());
    spoil_(payload);
    if (refuses_(link, payload)) {
      payload.set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
      return;
    }
    if (payload.get_streaming_width() < payload.get_data_length()) {
      payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
      return;
    }
    if (!contains(payload)) {
      payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
      return;
    }
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    if (payload.is_read()) {
      ++reads_;
      read(payload, arrival);
    } else if (payload.is_write()) {
      ++writes_;
      write(payload, arrival);
    }
  }

  void read(tlm::tlm_generic_payload& payload, const sc_core::sc_time& arrival) const {
    const address first = payload.get_address(), length = payload.get_data_length();
    for (unsigned i = 0; i < length; ++i) {
      if (is_enabled(payload, i)) payload.get_data_ptr()[i] = byte_at(first + i);
    }
    for (const future_write& write : future_) {
      const address i = write.at - first;
      if (write.arrival <= arrival && i < length && is_enabled(payload, static_cast<unsigned>(i))) payload.get_data_ptr()[i] = write.value;
    }
  }

  void write(const tlm::tlm_generic_payload& payload, const sc_core::sc_time& arrival) {
    for (unsigned i = 0; i < payload.get_data_length(); ++i) {
      if (!is_enabled(payload, i)) continue;
      const future_write one{arrival, payload.get_address() + i, payload.get_data_ptr()[i]};
      if (arrival <= sc_core::sc_time_stamp()) {
        bytes_[one.at] = one.value;
      } else {
        const auto earlier = [](const future_write& a, const future_write& b) { return a.arrival < b.arrival; };
        future_.insert(std::upper_bound(future_.begin(), future_.end(), one, earlier), one);
      }
    }
  }

  /// Writes that have arrived by now.
  void settle(const sc_core::sc_time& now) {
    const auto is_to_come = [&now](const future_write& write) { return write.arrival > now; };
    const auto end = std::find_if(future_.begin(), future_.end(), is_to_come);
    for (auto write = future_.begin(); write != end; ++write) bytes_[write->at] = write->value;
    future_.erase(future_.begin(), end);
  }

  unsigned debug(unsigned link, tlm::tlm_generic_payload& payload) {
    settle(sc_core::sc_time_stamp());
    if (!contains(payload) || refuses_(link, payload)) return 0;
    byte* const data = payload.get_data_ptr();
    for (unsigned i = 0; i < payload.get_data_length(); ++i) {
      if (payload.is_write())
        bytes_[payload.get_address() + i] = data[i];
      else
        data[i] = byte_at(payload.get_address() + i);
    }
    return payload.get_data_length();
  }

  byte byte_at(address at) const {
    const auto found = bytes_.find(at);
    return found == bytes_.end() ? byte{0} : found->second;
  }

  std::function<void(tlm::tlm_generic_payload&)> spoil_;
  std::function<bool(unsigned, const tlm::tlm_generic_payload&)> refuses_;
  sc_dt::uint64 size_;
  std::unordered_map<address, byte> bytes_;
  std::vector<future_write> future_;  // by arrival, those of one time in the order of the calls
  unsigned reads_ = 0, writes_ = 0;
};

}  // namespace tc::stand_ins
