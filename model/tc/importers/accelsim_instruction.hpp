// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include <tc/importers/accelsim_header.hpp>
#include <tc/trace/lanes.hpp>
#include <tc/trace/text_cursor.hpp>

namespace tc::importers {

/// Vector registers, in the order in which a trace lists them; 255 is RZ.
class register_list {
 public:
  static constexpr std::size_t capacity = 8;

  const std::uint8_t* begin() const { return numbers_.data(); }
  const std::uint8_t* end() const { return numbers_.data() + size_; }
  std::size_t size() const { return size_; }
  std::uint8_t operator[](std::size_t i) const { return numbers_[i]; }
  /// At most `capacity` of them.
  void push_back(std::uint8_t number) { numbers_.at(size_++) = number; }

 private:
  std::array<std::uint8_t, capacity> numbers_{};
  std::size_t size_ = 0;
};

/// One instruction line of an Accel-Sim trace, "0010 ffffffff 1 R4 LDG.E 1 R2 4 1 0x7f0000000000 4 0", up to the width of the memory
/// access. The fields are those that the tracer of the Accel-Sim framework writes (its README, "Traces format").
struct accelsim_instruction {
  std::uint32_t pc = 0;
  trace::lane_mask mask = 0;
  std::size_t mask_position = 0;  ///< of the mask in the line
  std::string_view code;          ///< registers and opcode as they are written: "1 R4 LDG.E 1 R2"
  std::string_view opcode;        ///< with its modifiers
  register_list destinations, sources;
  unsigned access_bytes = 0;  ///< 0: accesses no memory
};

/// Reads the line up to the width of the access. Throws trace_error.
accelsim_instruction read_accelsim_instruction(trace::text_cursor& in, const accelsim_header& header);

/// Reads what follows the width of a memory access: the addresses of the lanes of `mask`, in one of the three forms. Throws trace_error.
void read_accelsim_addresses(trace::text_cursor& in, trace::lane_mask mask, trace::address_list& addresses);

/// Reads what stands behind the addresses: the immediate, 0 where there is none, and the end of the line. Throws trace_error.
std::uint64_t read_accelsim_immediate(trace::text_cursor& in, const accelsim_header& header);

}  // namespace tc::importers
