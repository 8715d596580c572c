// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <systemc>
#include <tlm>

namespace tc::platform {

/// A request of the machine on its way over the bus. Its attributes are those that it came with.
struct bus_request {
  tlm::tlm_generic_payload* payload = nullptr;
  bool is_write = false;
  sc_dt::uint64 address = 0;
  unsigned char* data = nullptr;
  unsigned bytes = 0;
  const unsigned char* byte_enables = nullptr;  ///< null: all bytes
  unsigned byte_enable_bytes = 0;               ///< after which they repeat
  unsigned link = 0;                            ///< that it came over
  sc_core::sc_time arrival{};                   ///< absolute
  unsigned sent = 0;                            ///< bytes of the bursts that have left
  unsigned open = 0;                            ///< bursts that are not answered, and one while bursts are being sent
  sc_core::sc_time valid{};                     ///< absolute, of the latest answer
  tlm::tlm_response_status status = tlm::TLM_OK_RESPONSE;
  sc_core::sc_event* answered = nullptr;  ///< of a sender that waits inside b_transport

  bool all_sent() const { return sent == bytes; }
  bool is_enabled(unsigned byte) const { return byte_enables == nullptr || byte_enables[byte % byte_enable_bytes] == TLM_BYTE_ENABLED; }
};

/// The part of a request that goes over the bus in one transaction.
struct bus_burst {
  bus_request* of = nullptr;
  sc_dt::uint64 address = 0;
  unsigned offset = 0;  ///< in the data of the request
  unsigned bytes = 0;

  unsigned char* data() const { return of->data + offset; }
};

/// Whether the order of two accesses matters: they share bytes, and one of them writes.
inline bool depend_on_each_other(const bus_burst& a, const bus_burst& b) {
  const bool share = a.address < b.address + b.bytes && b.address < a.address + a.bytes;
  return share && (a.of->is_write || b.of->is_write);
}

}  // namespace tc::platform
