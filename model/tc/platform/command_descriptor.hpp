// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>

#include <tc/platform/command_layout.hpp>

namespace tc::platform {

/// A command that cannot be run: the status that software gets, and in what() for people what is wrong and what would be right.
class command_error : public std::runtime_error {
 public:
  command_error(command_status status, const std::string& text) : std::runtime_error(text), status_(status) {}

  command_status status() const { return status_; }

 private:
  command_status status_;
};

/// The bytes of a descriptor, as they lie in the ring.
class command_descriptor {
 public:
  using bytes = std::array<std::uint8_t, layout::descriptor_bytes>;

  command_descriptor() = default;
  explicit command_descriptor(const bytes& content) : bytes_(content) {}

  /// The number in a field.
  std::uint64_t wide(const layout_field& field) const;
  /// The number in a field of four bytes.
  std::uint32_t number(const layout_field& field) const { return static_cast<std::uint32_t>(wide(field)); }
  bool has(command_flag flag) const { return (number(layout::flags) & code_of(flag)) != 0; }
  std::uint32_t identifier() const { return number(layout::identifier); }
  command_opcode opcode() const { return static_cast<command_opcode>(number(layout::opcode)); }

  /// Throws command_error if there is no such opcode or flag, the completion record's address is not aligned, or a byte that no field of
  /// the command takes is not zero. What else the fields say is checked by who uses them.
  void check() const;

  /// Equal parameters make equal kernels.
  bool has_parameters_of(const command_descriptor& other) const;

 private:
  bytes bytes_{};
};

/// A completion record as bytes.
struct completion_record {
  std::uint32_t identifier = 0;
  command_status status = command_status::done;
  std::uint64_t cycles = 0, instructions = 0, mismatches = 0;

  std::array<std::uint8_t, layout::completion_bytes> bytes() const;
};

}  // namespace tc::platform
