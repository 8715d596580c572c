// SPDX-License-Identifier: Apache-2.0
#include "command_descriptor.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace tc::platform {
namespace {

constexpr unsigned first_parameter = 32;  // byte of a descriptor

template <class Fields>
void take(std::array<bool, layout::descriptor_bytes>& taken, const Fields& fields) {
  for (const layout_field* field : fields) std::fill_n(taken.begin() + field->offset, field->bytes, true);
}

/// Which bytes mean something to a command. Throws command_error if there is none with that code.
std::array<bool, layout::descriptor_bytes> bytes_of(std::uint32_t opcode) {
  std::array<bool, layout::descriptor_bytes> taken{};
  take(taken, layout::command);
  switch (static_cast<command_opcode>(opcode)) {
    case command_opcode::no_operation:
      return taken;
    case command_opcode::run_trace:
      take(taken, layout::run_trace);
      return taken;
    case command_opcode::gemm:
      take(taken, layout::gemm);
      return taken;
    case command_opcode::convolution:
      take(taken, layout::convolution);
      return taken;
  }
  throw command_error(command_status::bad_opcode,
                      fmt::format("there is no command with the opcode {}; there are 1 to {}", opcode, opcodes.size()));
}

void put(std::array<std::uint8_t, layout::completion_bytes>& bytes, const layout_field& field, std::uint64_t value) {
  for (unsigned i = 0; i < field.bytes; ++i) bytes[field.offset + i] = static_cast<std::uint8_t>(value >> 8 * i);
}

}  // namespace

std::uint64_t command_descriptor::wide(const layout_field& field) const {
  std::uint64_t value = 0;
  for (unsigned i = 0; i < field.bytes; ++i) value |= std::uint64_t{bytes_[field.offset + i]} << 8 * i;
  return value;
}

void command_descriptor::check() const {
  const auto taken = bytes_of(number(layout::opcode));
  for (unsigned i = 0; i < layout::descriptor_bytes; ++i)
    if (!taken[i] && bytes_[i] != 0)
      throw command_error(command_status::bad_descriptor,
                          fmt::format("byte {} of the descriptor is {:#x}; the command does not use it: it must be 0", i, bytes_[i]));
  std::uint32_t known = 0;
  for (const named_code& flag : command_flags) known |= flag.code;
  if ((number(layout::flags) & ~known) != 0)
    throw command_error(command_status::bad_descriptor, fmt::format("flags are {:#x}; there are {:#x}", number(layout::flags), known));
  if (wide(layout::completion) % layout::completion_bytes != 0)
    throw command_error(command_status::bad_descriptor, fmt::format("the address of the completion record, {:#x}, is no multiple of {}",
                                                                    wide(layout::completion), layout::completion_bytes));
}

bool command_descriptor::has_parameters_of(const command_descriptor& other) const {
  return opcode() == other.opcode() && std::equal(bytes_.begin() + first_parameter, bytes_.end(), other.bytes_.begin() + first_parameter);
}

std::array<std::uint8_t, layout::completion_bytes> completion_record::bytes() const {
  std::array<std::uint8_t, layout::completion_bytes> bytes{};
  put(bytes, layout::completed_identifier, identifier);
  put(bytes, layout::status, code_of(status));
  put(bytes, layout::cycles, cycles);
  put(bytes, layout::issued, instructions);
  put(bytes, layout::mismatches, mismatches);
  return bytes;
}

}  // namespace tc::platform
