// SPDX-License-Identifier: Apache-2.0
#include "memory_access.hpp"

#include <algorithm>
#include <cstring>

#include <boost/endian/conversion.hpp>

#include <tc/lanes/matrix_8x8.hpp>
#include <tc/lanes/warp_operations.hpp>
#include <tc/subcore/pipes/operand_values.hpp>

namespace tc::subcore {

memory_operation operation_of(isa::opcode op) {
  const isa::memory_use use = isa::info(op).memory;
  memory_operation operation;
  operation.action = use.action;
  switch (use.action) {
    case memory_action::none:
    case memory_action::order:
      return operation;
    case memory_action::barrier:
    case memory_action::bulk_copy:
      operation.space = memory_space::shared;
      operation.asynchronous = true;
      return operation;
    case memory_action::transpose_matrix:
    case memory_action::exchange:
      operation.space = memory_space::shared;
      return operation;
    default:
      break;
  }
  const bool is_local = use.space == memory_space::local;
  operation.space = use.space == memory_space::shared ? memory_space::shared : memory_space::global;
  operation.accesses = !is_local;
  operation.local = is_local;
  return operation;
}

namespace {

constexpr unsigned data_source = links::warp_instruction::stored_source;
constexpr unsigned rows_per_matrix = 8, row_bytes = 16;

/// `count` bytes, the lowest first.
inline std::uint32_t part_at(const unsigned char* bytes, unsigned count) {
  std::uint32_t value = 0;
  for (unsigned i = 0; i < count; ++i) value |= std::uint32_t{bytes[i]} << (8 * i);
  return value;
}

inline void set_part(unsigned char* bytes, std::uint32_t value, unsigned count) {
  for (unsigned i = 0; i < count; ++i) bytes[i] = static_cast<unsigned char>(value >> (8 * i));
}

std::uint32_t sign_extended(std::uint32_t value, unsigned bits) {
  const std::uint32_t sign = 1U << (bits - 1);
  return (value ^ sign) - sign;
}

/// Register `i` of the data that a store takes; RZ has none and is zero.
const warp::lane_vector& store_register(const links::warp_instruction& instruction, unsigned i) {
  static constexpr warp::lane_vector zero{};
  return i < instruction.sources[data_source].count ? instruction.operand(data_source, i) : zero;
}

/// Calls visit(lane) for the lanes of a mask.
template <class Visit>
void for_each_lane(std::uint32_t mask, const Visit& visit) {
  for (; mask != 0; mask &= mask - 1) visit(static_cast<unsigned>(__builtin_ctz(mask)));
}

/// The words that lanes store, `Words` registers of each. Where they lie in the order of the lanes, which is most often, vectors move them.
template <unsigned Words>
void take_words(const links::warp_instruction& instruction, std::uint32_t mask, const access_plan& plan, access_buffer& buffer) {
  std::array<const warp::lane_vector*, Words> data;
  for (unsigned i = 0; i < Words; ++i) data[i] = &store_register(instruction, i);
  if (plan.is_in_order()) {
    std::array<std::array<std::uint32_t, Words>, warp::lanes_per_warp> words;
    for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane)
      for (unsigned i = 0; i < Words; ++i) words[lane][i] = boost::endian::native_to_little((*data[i])[lane]);
    std::memcpy(buffer.bytes.data(), words.data(), sizeof words);
    return;
  }
  for_each_lane(mask, [&](unsigned lane) {
    unsigned char* const bytes = &buffer.bytes[plan.offset(lane)];
    for (unsigned i = 0; i < Words; ++i) boost::endian::store_little_u32(bytes + 4 * i, (*data[i])[lane]);
  });
}

void take_lane_data(const links::warp_instruction& instruction, const element_set& elements, const access_plan& plan,
                    access_buffer& buffer) {
  switch (elements.bytes) {
    case 16:
      return take_words<4>(instruction, elements.mask, plan, buffer);
    case 8:
      return take_words<2>(instruction, elements.mask, plan, buffer);
    case 4:
      return take_words<1>(instruction, elements.mask, plan, buffer);
    default:
      const warp::lane_vector& data = store_register(instruction, 0);
      for_each_lane(elements.mask, [&](unsigned lane) { set_part(&buffer.bytes[plan.offset(lane)], data[lane], elements.bytes); });
  }
}

void take_matrix_data(const links::warp_instruction& instruction, const access_plan& plan, access_buffer& buffer) {
  const isa::modifiers& mods = instruction.code().mods;
  for (unsigned m = 0; m < mods.matrices; ++m) {
    const lanes::matrix_8x8 matrix = lanes::from_lanes(store_register(instruction, m), mods.transpose);
    for (unsigned row = 0; row < rows_per_matrix; ++row) {
      unsigned char* const bytes = &buffer.bytes[plan.offset(m * rows_per_matrix + row)];
      for (unsigned column = 0; column < matrix[row].size(); ++column)
        boost::endian::store_little_u16(bytes + 2 * column, matrix[row][column]);
    }
  }
}

/// Whether the lanes of register `i` that a store takes are undefined; of a register that it does not have none is.
std::uint32_t undefined_stored(const links::warp_instruction& instruction, unsigned i) {
  return i < instruction.sources[data_source].count ? instruction.undefined_stored_lanes[i] : 0;
}

void mark_lane_data(const links::warp_instruction& instruction, const element_set& elements, const access_plan& plan,
                    access_buffer& buffer) {
  for_each_lane(elements.mask, [&](unsigned lane) {
    unsigned char* const flags = &buffer.undefined[plan.offset(lane)];
    for (unsigned i = 0; i < elements.bytes; ++i) flags[i] = undefined_stored(instruction, i / 4) >> lane & 1U;
  });
}

/// As the elements of a matrix lie, those of undefined lanes being not 0.
void mark_matrix_data(const links::warp_instruction& instruction, const access_plan& plan, access_buffer& buffer) {
  const isa::modifiers& mods = instruction.code().mods;
  for (unsigned m = 0; m < mods.matrices; ++m) {
    warp::lane_vector undefined;
    for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane)
      undefined[lane] = (undefined_stored(instruction, m) >> lane & 1U) != 0 ? 0xffffffffU : 0;
    const lanes::matrix_8x8 matrix = lanes::from_lanes(undefined, mods.transpose);
    for (unsigned row = 0; row < rows_per_matrix; ++row)
      std::memcpy(&buffer.undefined[plan.offset(m * rows_per_matrix + row)], matrix[row].data(), row_bytes);
  }
}

/// The words that lanes load, as take_words().
template <unsigned Words>
void give_words(links::warp_instruction& instruction, std::uint32_t mask, const access_plan& plan, const access_buffer& buffer) {
  if (plan.is_in_order()) {
    std::array<std::array<std::uint32_t, Words>, warp::lanes_per_warp> words;
    std::memcpy(words.data(), buffer.bytes.data(), sizeof words);
    for (unsigned i = 0; i < Words; ++i)
      for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane)
        instruction.result_registers[i][lane] = boost::endian::little_to_native(words[lane][i]);
    return;
  }
  for_each_lane(mask, [&](unsigned lane) {
    const unsigned char* const bytes = &buffer.bytes[plan.offset(lane)];
    for (unsigned i = 0; i < Words; ++i) instruction.result_registers[i][lane] = boost::endian::load_little_u32(bytes + 4 * i);
  });
}

/// The parts of a word that lanes load, with their sign if the instruction says so.
void give_parts(links::warp_instruction& instruction, const element_set& elements, const access_plan& plan, const access_buffer& buffer) {
  const bool extend = instruction.code().mods.access_signed;
  for_each_lane(elements.mask, [&](unsigned lane) {
    const std::uint32_t value = part_at(&buffer.bytes[plan.offset(lane)], elements.bytes);
    instruction.result_registers[0][lane] = extend ? sign_extended(value, 8 * elements.bytes) : value;
  });
}

void mark_undefined_lanes(links::warp_instruction& instruction, const element_set& elements, const access_plan& plan,
                          const access_buffer& buffer) {
  for_each_lane(elements.mask, [&](unsigned lane) {
    const auto first = buffer.undefined.begin() + plan.offset(lane);
    const bool undefined = std::any_of(first, first + elements.bytes, [](unsigned char flag) { return flag != 0; });
    instruction.undefined_lanes |= (undefined ? 1U : 0U) << lane;
  });
}

void give_lane_data(links::warp_instruction& instruction, const element_set& elements, const access_plan& plan,
                    const access_buffer& buffer) {
  if (elements.bytes == 16)
    give_words<4>(instruction, elements.mask, plan, buffer);
  else if (elements.bytes == 8)
    give_words<2>(instruction, elements.mask, plan, buffer);
  else if (elements.bytes == 4)
    give_words<1>(instruction, elements.mask, plan, buffer);
  else
    give_parts(instruction, elements, plan, buffer);
  if (buffer.any_undefined) mark_undefined_lanes(instruction, elements, plan, buffer);
}

/// The register that a lane gets of a matrix whose rows lie in the buffer: rows are words of neighbouring lanes already, columns are not.
warp::lane_vector dealt_matrix(const unsigned char* bytes, const access_plan& plan, unsigned m, bool transposed) {
  warp::lane_vector lanes;
  for (unsigned row = 0; row < rows_per_matrix; ++row)
    std::memcpy(&lanes[row_bytes / 4 * row], bytes + plan.offset(m * rows_per_matrix + row), row_bytes);
  for (std::uint32_t& word : lanes) boost::endian::little_to_native_inplace(word);
  return transposed ? lanes::to_lanes(lanes::from_lanes(lanes, false), true) : lanes;
}

/// The flags of undefined bytes take the same way through the matrix as the bytes.
void give_matrix_data(links::warp_instruction& instruction, const access_plan& plan, const access_buffer& buffer) {
  const isa::modifiers& mods = instruction.code().mods;
  for (unsigned m = 0; m < mods.matrices; ++m) {
    instruction.result_registers[m] = dealt_matrix(buffer.bytes.data(), plan, m, mods.transpose);
    if (!buffer.any_undefined) continue;
    const warp::lane_vector undefined = dealt_matrix(buffer.undefined.data(), plan, m, mods.transpose);
    for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane) instruction.undefined_lanes |= (undefined[lane] != 0 ? 1U : 0U) << lane;
  }
}

element_set set_of(const links::warp_instruction& instruction, const memory_operation& operation) {
  const isa::modifiers& mods = instruction.code().mods;
  if (!operation.is_matrix()) return {instruction.step.mask, mods.access_bits / 8U};
  const unsigned rows = mods.matrices * rows_per_matrix;
  return {rows >= warp::lanes_per_warp ? 0xffffffffU : (1U << rows) - 1, row_bytes};
}

}  // namespace

lane_condition condition_of(const links::warp_instruction& instruction) {
  const isa::instruction& code = instruction.code();
  lane_condition condition{instruction.step.mask, 0};
  for (unsigned s = 1; s < code.source_count; ++s) {
    if (!code.sources[s].is_predicate()) continue;
    const std::uint32_t predicate = instruction.sources[s].predicate;
    condition.lanes &= code.sources[s].inverted ? ~predicate : predicate;
    condition.undefined |= instruction.sources[s].undefined_lanes;
  }
  return condition;
}

access_elements elements_of(const links::warp_instruction& instruction, const memory_operation& operation, std::uint64_t base) {
  access_elements elements;
  static_cast<element_set&>(elements) = set_of(instruction, operation);
  for (unsigned e = 0; e < warp::lanes_per_warp; ++e) elements.address[e] = instruction.step.addresses[e] + base;
  return elements;
}

void take_store_data(const links::warp_instruction& instruction, const memory_operation& operation, const access_plan& plan,
                     access_buffer& buffer) {
  const element_set elements = set_of(instruction, operation);
  if (operation.is_matrix())
    take_matrix_data(instruction, plan, buffer);
  else
    take_lane_data(instruction, elements, plan, buffer);
  if (instruction.sources[data_source].undefined_lanes == 0) return;  // nearly always
  buffer.any_undefined = true;
  if (operation.is_matrix())
    mark_matrix_data(instruction, plan, buffer);
  else
    mark_lane_data(instruction, elements, plan, buffer);
}

void give_load_data(links::warp_instruction& instruction, const memory_operation& operation, const access_plan& plan,
                    const access_buffer& buffer) {
  if (operation.is_matrix()) {
    give_matrix_data(instruction, plan, buffer);
  } else {
    const lane_condition condition = condition_of(instruction);
    element_set elements = set_of(instruction, operation);
    if (condition.lanes != elements.mask)
      for (unsigned i = 0; i < instruction.code().destinations[0].count; ++i) instruction.result_registers[i] = {};
    elements.mask = condition.lanes;
    give_lane_data(instruction, elements, plan, buffer);
    instruction.undefined_lanes |= condition.undefined & instruction.step.mask;
  }
}

void exchange_lanes(links::warp_instruction& instruction) {
  const isa::instruction& code = instruction.code();
  const lanes::warp_operation exchange = lanes::find_warp_operation(code);
  lanes::lane_result result;
  exchange(lanes::lane_operands(code, lane_sources_of(instruction)), instruction.step.mask, result);
  instruction.result_registers[0] = result.registers[0];
  instruction.result_predicates = result.predicates;
  inherit_undefined_of_warp(instruction);
}

void transpose_matrix(links::warp_instruction& instruction) {
  instruction.result_registers[0] = lanes::to_lanes(lanes::from_lanes(instruction.operand(0, 0), false), instruction.code().mods.transpose);
  instruction.undefined_lanes = instruction.sources[0].undefined_lanes != 0 ? instruction.step.mask : 0;
  instruction.origin = instruction.sources[0].origin;
}

}  // namespace tc::subcore
