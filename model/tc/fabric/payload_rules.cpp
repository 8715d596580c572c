// SPDX-License-Identifier: Apache-2.0
#include "payload_rules.hpp"

#include <algorithm>

namespace tc::fabric {

namespace {

/// FNV-1a: enough to notice that bytes were changed.
std::uint64_t hash(const unsigned char* data, unsigned length) {
  std::uint64_t value = 0xcbf29ce484222325;
  for (unsigned i = 0; i < length; ++i) value = (value ^ data[i]) * 0x100000001b3;
  return value;
}

std::uint64_t hash_of_enables(const tlm::tlm_generic_payload& payload) {
  return payload.get_byte_enable_ptr() == nullptr ? 0 : hash(payload.get_byte_enable_ptr(), payload.get_byte_enable_length());
}

std::uint64_t hash_of_written(const tlm::tlm_generic_payload& payload) {
  return payload.is_write() && payload.get_data_ptr() != nullptr ? hash(payload.get_data_ptr(), payload.get_data_length()) : 0;
}

bool has_illegal_byte_enable(const tlm::tlm_generic_payload& payload) {
  const unsigned char* enable = payload.get_byte_enable_ptr();
  return std::any_of(enable, enable + payload.get_byte_enable_length(),
                     [](unsigned char byte) { return byte != TLM_BYTE_ENABLED && byte != TLM_BYTE_DISABLED; });
}

bool transfers(const tlm::tlm_generic_payload& payload) { return payload.is_read() || payload.is_write(); }

}  // namespace

request_attributes::request_attributes(const tlm::tlm_generic_payload& payload)
    : command(payload.get_command()),
      address(payload.get_address()),
      data(payload.get_data_ptr()),
      length(payload.get_data_length()),
      streaming_width(payload.get_streaming_width()),
      byte_enable(payload.get_byte_enable_ptr()),
      byte_enable_length(payload.get_byte_enable_length()),
      written(hash_of_written(payload)),
      enabled(hash_of_enables(payload)) {
  for (unsigned id = 0; id < tlm::max_num_extensions(); ++id) extensions.push_back(payload.get_extension(id));
}

const char* mistake_in_request(const tlm::tlm_generic_payload& payload) {
  if (payload.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE)
    return "the response status of a request is not TLM_INCOMPLETE_RESPONSE";
  if (payload.is_dmi_allowed()) return "the DMI hint of a request is set";
  if (payload.get_gp_option() == tlm::TLM_FULL_PAYLOAD_ACCEPTED) return "the option of a request is TLM_FULL_PAYLOAD_ACCEPTED";
  if (payload.get_command() == tlm::TLM_IGNORE_COMMAND) return nullptr;
  if (!transfers(payload)) return "the command is unknown";
  if (payload.get_data_ptr() == nullptr) return "the data pointer is null";
  if (payload.get_data_length() == 0) return "the data length is 0";
  if (payload.get_streaming_width() == 0) return "the streaming width is 0";
  if (payload.get_byte_enable_ptr() == nullptr) return nullptr;
  if (payload.get_byte_enable_length() == 0) return "the byte enable length is 0";
  return has_illegal_byte_enable(payload) ? "a byte enable is neither 0 nor 0xff" : nullptr;
}

const char* mistake_in_debug_request(const tlm::tlm_generic_payload& payload) {
  if (!transfers(payload) && payload.get_command() != tlm::TLM_IGNORE_COMMAND) return "the command of a debug request is unknown";
  if (transfers(payload) && payload.get_data_ptr() == nullptr && payload.get_data_length() != 0)
    return "the data pointer of a debug request is null";
  return nullptr;
}

const char* mistake_in_direct_request(const tlm::tlm_generic_payload& payload) {
  return transfers(payload) ? nullptr : "direct access is asked for with a command that is neither a read nor a write";
}

const char* mistake_in_region(const request_attributes& request, const tlm::tlm_dmi& region) {
  if (region.get_start_address() > region.get_end_address()) return "the region granted ends before it starts";
  if (request.address < region.get_start_address() || request.address > region.get_end_address())
    return "the region granted does not contain the address asked for";
  if (region.get_dmi_ptr() == nullptr) return "the pointer granted is null";
  const bool allows = request.command == tlm::TLM_WRITE_COMMAND ? region.is_write_allowed() : region.is_read_allowed();
  return allows ? nullptr : "the access granted is not the one asked for";
}

const char* changed_attribute(const request_attributes& sent, const tlm::tlm_generic_payload& payload, bool address_may_change) {
  if (payload.get_command() != sent.command) return "the command was changed";
  if (payload.get_address() != sent.address && !address_may_change) return "the address was changed";
  if (payload.get_data_ptr() != sent.data) return "the data pointer was changed";
  if (payload.get_data_length() != sent.length) return "the data length was changed";
  if (payload.get_streaming_width() != sent.streaming_width) return "the streaming width was changed";
  if (payload.get_byte_enable_ptr() != sent.byte_enable) return "the byte enable pointer was changed";
  if (payload.get_byte_enable_length() != sent.byte_enable_length) return "the byte enable length was changed";
  if (hash_of_enables(payload) != sent.enabled) return "the byte enables were changed";
  return hash_of_written(payload) == sent.written ? nullptr : "the data of a write was changed";
}

bool lost_extension(const request_attributes& sent, const tlm::tlm_generic_payload& payload) {
  for (unsigned id = 0; id < sent.extensions.size(); ++id)
    if (sent.extensions[id] != nullptr && payload.get_extension(id) != sent.extensions[id]) return true;
  return false;
}

unsigned enabled_bytes(const tlm::tlm_generic_payload& payload) {
  const unsigned char* const enables = payload.get_byte_enable_ptr();
  const unsigned length = payload.get_data_length(), period = payload.get_byte_enable_length();
  if (enables == nullptr || period == 0) return length;
  const auto enabled_of_first = [enables](unsigned bytes) {
    return static_cast<unsigned>(std::count(enables, enables + bytes, static_cast<unsigned char>(TLM_BYTE_ENABLED)));
  };
  return length / period * enabled_of_first(period) + enabled_of_first(length % period);
}

bool is_known_status(tlm::tlm_response_status status) {
  switch (status) {
    case tlm::TLM_OK_RESPONSE:
    case tlm::TLM_INCOMPLETE_RESPONSE:
    case tlm::TLM_GENERIC_ERROR_RESPONSE:
    case tlm::TLM_ADDRESS_ERROR_RESPONSE:
    case tlm::TLM_COMMAND_ERROR_RESPONSE:
    case tlm::TLM_BURST_ERROR_RESPONSE:
    case tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE:
      return true;
  }
  return false;
}

}  // namespace tc::fabric
