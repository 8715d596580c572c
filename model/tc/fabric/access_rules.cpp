// SPDX-License-Identifier: Apache-2.0
#include "access_rules.hpp"

namespace tc::fabric {

namespace {

bool is_command_allowed(const access_rules& rules, tlm::tlm_command command) {
  switch (command) {
    case tlm::TLM_READ_COMMAND:
      return rules.readable;
    case tlm::TLM_WRITE_COMMAND:
      return rules.writable;
    default:
      return false;
  }
}

/// Most alignments are powers of two, for which no division is needed.
bool is_multiple(sc_dt::uint64 value, sc_dt::uint64 alignment) {
  const sc_dt::uint64 mask = alignment - 1;
  return (alignment & mask) == 0 ? (value & mask) == 0 : value % alignment == 0;
}

}  // namespace

access_rules access_rules::whole_address_space() {
  access_rules rules;
  rules.size_bytes = std::numeric_limits<sc_dt::uint64>::max();
  rules.byte_enables = true;
  return rules;
}

tlm::tlm_response_status access_rules::check(const tlm::tlm_generic_payload& payload) const {
  if (payload.get_command() == tlm::TLM_IGNORE_COMMAND) return tlm::TLM_OK_RESPONSE;
  if (!is_command_allowed(*this, payload.get_command())) return tlm::TLM_COMMAND_ERROR_RESPONSE;
  if (payload.get_data_ptr() == nullptr) return tlm::TLM_GENERIC_ERROR_RESPONSE;

  const bool uses_byte_enables = payload.get_byte_enable_ptr() != nullptr;
  if (uses_byte_enables && (!byte_enables || payload.get_byte_enable_length() == 0)) return tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE;

  const unsigned length = payload.get_data_length();
  if (length == 0 || length > max_length_bytes || !is_multiple(length, alignment_bytes)) return tlm::TLM_BURST_ERROR_RESPONSE;
  if (payload.get_streaming_width() < length) return tlm::TLM_BURST_ERROR_RESPONSE;

  const sc_dt::uint64 address = payload.get_address();
  if (!is_multiple(address, alignment_bytes) || !contains(address, length)) return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  return tlm::TLM_OK_RESPONSE;
}

}  // namespace tc::fabric
