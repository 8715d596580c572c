// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include <tlm>

namespace tc::fabric {

/// The generic payloads of one initiator. A payload returns to the pool when its last reference is released, and keeps its extensions:
/// after warming up, a transaction allocates nothing. The pool must outlive its payloads' use.
class payload_pool final : public tlm::tlm_mm_interface {
 public:
  /// A payload with reference count 1 and no response; the caller sets all other attributes (set_attributes()) and releases it once.
  tlm::tlm_generic_payload& get() {
    if (free_.empty()) grow();
    tlm::tlm_generic_payload& payload = *free_.back();
    free_.pop_back();
    payload.acquire();
    payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
    return payload;
  }

  /// Called by the payload when its reference count reaches 0.
  void free(tlm::tlm_generic_payload* payload) override {
    payload->reset();
    free_.push_back(payload);
  }

  /// Payloads in use; 0 at the end of every run.
  std::size_t live() const { return all_.size() - free_.size(); }

  /// Payloads ever made: the largest number in use at once.
  std::size_t capacity() const { return all_.size(); }

 private:
  void grow() {
    all_.push_back(std::make_unique<tlm::tlm_generic_payload>(this));
    free_.reserve(all_.size());
    free_.push_back(all_.back().get());
  }

  std::vector<std::unique_ptr<tlm::tlm_generic_payload>> all_;
  std::vector<tlm::tlm_generic_payload*> free_;
};

/// Sets every attribute of a plain request: an initiator must do so on each use of a payload (IEEE 1666-2011, section 14.7).
inline void set_attributes(tlm::tlm_generic_payload& payload, tlm::tlm_command command, sc_dt::uint64 address, unsigned char* data,
                           unsigned length_bytes) {
  payload.set_command(command);
  payload.set_address(address);
  payload.set_data_ptr(data);
  payload.set_data_length(length_bytes);
  payload.set_streaming_width(length_bytes);
  payload.set_byte_enable_ptr(nullptr);
  payload.set_byte_enable_length(0);
  payload.set_dmi_allowed(false);
  payload.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
}

}  // namespace tc::fabric
