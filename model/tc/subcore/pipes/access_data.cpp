#include "access_data.hpp"

#include <algorithm>

#include <tc/subcore/lanes/matrix_8x8.hpp>

namespace tc::subcore {

namespace {

constexpr unsigned data_source = 1;  // operand of a store behind its address
constexpr unsigned rows_per_matrix = 8, row_bytes = 16;

/// `count` bytes, the lowest first.
std::uint32_t word_at(const unsigned char* bytes, unsigned count) {
  if (count == 4) return bytes[0] | std::uint32_t{bytes[1]} << 8U | std::uint32_t{bytes[2]} << 16U | std::uint32_t{bytes[3]} << 24U;
  std::uint32_t value = 0;
  for (unsigned i = 0; i < count; ++i) value |= std::uint32_t{bytes[i]} << (8 * i);
  return value;
}

void set_word(unsigned char* bytes, std::uint32_t value, unsigned count) {
  for (unsigned i = 0; i < count; ++i) bytes[i] = static_cast<unsigned char>(value >> (8 * i));
}

std::uint32_t sign_extended(std::uint32_t value, unsigned bits) {
  const std::uint32_t sign = 1U << (bits - 1);
  return (value ^ sign) - sign;
}

/// Register `i` of the data that a store takes; RZ has none and is zero.
const lane_vector& store_register(const warp_instruction& instruction, unsigned i) {
  static constexpr lane_vector zero{};
  return i < instruction.sources[data_source].count ? instruction.operand(data_source, i) : zero;
}

void take_lane_data(const warp_instruction& instruction, const access_elements& elements, const access_plan& plan, access_buffer& buffer) {
  const unsigned word_bytes = std::min(elements.bytes, 4U);
  for (unsigned i = 0; i * 4 < elements.bytes; ++i) {
    const lane_vector& data = store_register(instruction, i);
    for (unsigned lane = 0; lane < lanes_per_warp; ++lane)
      if (elements.has(lane)) set_word(&buffer.bytes[plan.offset(lane) + 4 * i], data[lane], word_bytes);
  }
}

void take_matrix_data(const warp_instruction& instruction, const access_plan& plan, access_buffer& buffer) {
  const isa::modifiers& mods = instruction.code().mods;
  for (unsigned m = 0; m < mods.matrices; ++m) {
    const matrix_8x8 matrix = from_lanes(store_register(instruction, m), mods.transpose);
    for (unsigned row = 0; row < rows_per_matrix; ++row) {
      unsigned char* const bytes = &buffer.bytes[plan.offset(m * rows_per_matrix + row)];
      for (unsigned column = 0; column < matrix[row].size(); ++column) set_word(bytes + 2 * column, matrix[row][column], 2);
    }
  }
}

void give_lane_data(warp_instruction& instruction, const access_elements& elements, const access_plan& plan, const access_buffer& buffer) {
  const isa::modifiers& mods = instruction.code().mods;
  const unsigned word_bytes = std::min(elements.bytes, 4U);
  const bool extend = mods.access_signed && elements.bytes < 4;
  for (unsigned lane = 0; lane < lanes_per_warp; ++lane) {
    if (!elements.has(lane)) continue;
    const unsigned offset = plan.offset(lane);
    for (unsigned i = 0; i * 4 < elements.bytes; ++i) {
      const std::uint32_t value = word_at(&buffer.bytes[offset + 4 * i], word_bytes);
      instruction.result_registers[i][lane] = extend ? sign_extended(value, 8 * word_bytes) : value;
    }
    const auto first = buffer.undefined.begin() + offset;
    const bool undefined = buffer.any_undefined && std::any_of(first, first + elements.bytes, [](unsigned char flag) { return flag != 0; });
    instruction.undefined_lanes |= (undefined ? 1U : 0U) << lane;
  }
}

/// The register that a lane gets of a matrix whose rows lie in the buffer: rows are words of neighbouring lanes already, columns are not.
lane_vector dealt_matrix(const unsigned char* bytes, const access_plan& plan, unsigned m, bool transposed) {
  lane_vector lanes;
  for (unsigned lane = 0; lane < lanes_per_warp; ++lane)
    lanes[lane] = word_at(bytes + plan.offset(m * rows_per_matrix + lane / 4) + lane % 4 * 4, 4);
  return transposed ? to_lanes(from_lanes(lanes, false), true) : lanes;
}

/// The flags of undefined bytes take the same way through the matrix as the bytes.
void give_matrix_data(warp_instruction& instruction, const access_plan& plan, const access_buffer& buffer) {
  const isa::modifiers& mods = instruction.code().mods;
  for (unsigned m = 0; m < mods.matrices; ++m) {
    instruction.result_registers[m] = dealt_matrix(buffer.bytes.data(), plan, m, mods.transpose);
    if (!buffer.any_undefined) continue;
    const lane_vector undefined = dealt_matrix(buffer.undefined.data(), plan, m, mods.transpose);
    for (unsigned lane = 0; lane < lanes_per_warp; ++lane) instruction.undefined_lanes |= (undefined[lane] != 0 ? 1U : 0U) << lane;
  }
}

}  // namespace

access_elements elements_of(const warp_instruction& instruction, const memory_operation& operation) {
  const isa::modifiers& mods = instruction.code().mods;
  access_elements elements;
  elements.address = instruction.step.addresses;
  elements.mask = instruction.step.mask;
  elements.bytes = mods.access_bits / 8U;
  if (!operation.is_matrix()) return elements;
  const unsigned rows = mods.matrices * rows_per_matrix;
  elements.mask = rows >= lanes_per_warp ? 0xffffffffU : (1U << rows) - 1;
  elements.bytes = row_bytes;
  return elements;
}

void take_store_data(const warp_instruction& instruction, const memory_operation& operation, const access_plan& plan,
                     access_buffer& buffer) {
  if (operation.is_matrix()) {
    take_matrix_data(instruction, plan, buffer);
  } else {
    take_lane_data(instruction, elements_of(instruction, operation), plan, buffer);
  }
}

void give_load_data(warp_instruction& instruction, const memory_operation& operation, const access_plan& plan,
                    const access_buffer& buffer) {
  if (operation.is_matrix()) {
    give_matrix_data(instruction, plan, buffer);
  } else {
    give_lane_data(instruction, elements_of(instruction, operation), plan, buffer);
  }
}

void transpose_matrix(warp_instruction& instruction) {
  instruction.result_registers[0] = to_lanes(from_lanes(instruction.operand(0, 0), false), instruction.code().mods.transpose);
  instruction.undefined_lanes = instruction.sources[0].undefined_lanes != 0 ? instruction.step.mask : 0;
  instruction.origin = instruction.sources[0].origin;
}

}  // namespace tc::subcore
