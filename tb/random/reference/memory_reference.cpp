// SPDX-License-Identifier: Apache-2.0
#include "memory_reference.hpp"

#include <functional>

namespace tcsim::random_programs {

namespace isa = tc::isa;
using isa::memory_action;
using isa::memory_space;

namespace {

/// A byte of the memory that an instruction accesses.
using byte_reference = std::function<std::uint8_t&(std::uint64_t address)>;

constexpr unsigned matrix_lines = 8, line_bytes = 16, store_data = 1;

void load(const tc::trace::step& step, const byte_reference& byte, warp_state& warp) {
  const isa::instruction& code = *step.code;
  const unsigned bytes = code.mods.access_bits / 8;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    if ((step.mask >> lane & 1U) == 0) continue;
    lane_view view(code, warp, lane);
    for (unsigned first = 0; first < bytes; first += 4) {
      std::uint32_t value = 0;
      for (unsigned i = first; i < bytes && i < first + 4; ++i) value |= std::uint32_t{byte(step.addresses[lane] + i)} << 8 * (i - first);
      if (bytes < 4 && code.mods.access_signed && (value >> (8 * bytes - 1)) != 0) value -= 1U << 8 * bytes;
      view.give(value, first / 4);
    }
  }
}

/// Of lanes that store to one address the highest one wins, as it comes last.
void store(const tc::trace::step& step, const byte_reference& byte, warp_state& warp) {
  const isa::instruction& code = *step.code;
  const unsigned bytes = code.mods.access_bits / 8;
  const bool is_zero = code.sources.at(store_data).index == isa::zero_register;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    if ((step.mask >> lane & 1U) == 0) continue;
    const lane_view view(code, warp, lane);
    for (unsigned i = 0; i < bytes; ++i)
      byte(step.addresses[lane] + i) = is_zero ? 0 : static_cast<std::uint8_t>(view.bits(store_data, i / 4) >> 8 * (i % 4));
  }
}

/// Lane and half of its register that hold an element of an 8x8 matrix (PTX ISA, ldmatrix).
struct matrix_holder {
  unsigned lane, half;

  matrix_holder(unsigned row, unsigned column, bool transposed)
      : lane(transposed ? 4 * column + row / 2 : 4 * row + column / 2), half(transposed ? row % 2 : column % 2) {}
};

std::uint32_t with_half(std::uint32_t word, unsigned half, std::uint32_t value) {
  const unsigned shift = 16 * half;
  return (word & ~(0xffffU << shift)) | value << shift;
}

void load_matrices(const tc::trace::step& step, const byte_reference& byte, warp_state& warp) {
  const isa::instruction& code = *step.code;
  for (unsigned matrix = 0; matrix < code.mods.matrices; ++matrix)
    for (unsigned row = 0; row < matrix_lines; ++row)
      for (unsigned column = 0; column < matrix_lines; ++column) {
        const std::uint64_t address = step.addresses[matrix_lines * matrix + row] + 2 * column;
        const std::uint32_t element = byte(address) | std::uint32_t{byte(address + 1)} << 8U;
        const matrix_holder holder(row, column, code.mods.transpose);
        std::uint32_t& word = warp.registers.at(code.destinations.at(0).index + matrix).at(holder.lane);
        word = with_half(word, holder.half, element);
      }
}

void store_matrices(const tc::trace::step& step, const byte_reference& byte, warp_state& warp) {
  const isa::instruction& code = *step.code;
  for (unsigned matrix = 0; matrix < code.mods.matrices; ++matrix)
    for (unsigned row = 0; row < matrix_lines; ++row)
      for (unsigned column = 0; column < matrix_lines; ++column) {
        const matrix_holder holder(row, column, code.mods.transpose);
        const std::uint32_t element = lane_view(code, warp, holder.lane).bits(store_data, matrix) >> 16 * holder.half;
        const std::uint64_t address = step.addresses[matrix_lines * matrix + row] + 2 * column;
        byte(address) = static_cast<std::uint8_t>(element);
        byte(address + 1) = static_cast<std::uint8_t>(element >> 8U);
      }
}

/// MOVM: what a matrix would be after it is stored by rows and loaded by columns.
void transpose(const isa::instruction& code, warp_state& warp) {
  lane_words result{};
  for (unsigned row = 0; row < matrix_lines; ++row)
    for (unsigned column = 0; column < matrix_lines; ++column) {
      const matrix_holder from(row, column, false), to(row, column, true);
      result.at(to.lane) = with_half(result.at(to.lane), to.half, lane_view(code, warp, from.lane).bits(0) >> 16 * from.half & 0xffffU);
    }
  for (unsigned lane = 0; lane < lanes; ++lane) lane_view(code, warp, lane).give(result.at(lane));
}

}  // namespace

std::uint8_t& global_bytes::at(std::uint64_t address) {
  auto region = regions_.upper_bound(address);
  if (region == regions_.begin()) throw not_executed("an access outside of global memory");
  --region;
  if (address - region->first >= region->second.size()) throw not_executed("an access outside of global memory");
  return region->second[address - region->first];
}

bool execute_memory(const tc::trace::step& step, global_bytes& global, std::vector<std::uint8_t>& shared, warp_state& warp) {
  const isa::memory_use use = isa::info(step.code->op).memory;
  const auto in_shared = [&shared](std::uint64_t address) -> std::uint8_t& {
    if (address >= shared.size()) throw not_executed("an access outside of shared memory");
    return shared[address];
  };
  const auto in_global = [&global](std::uint64_t address) -> std::uint8_t& { return global.at(address); };
  const byte_reference byte = use.space == memory_space::shared ? byte_reference(in_shared) : byte_reference(in_global);
  if (use.space != memory_space::shared && use.space != memory_space::global && use.space != memory_space::generic) {
    if (use.action == memory_action::transpose_matrix) {
      transpose(*step.code, warp);
      return true;
    }
    return use.action == memory_action::order;
  }
  if (step.mask == 0) return true;
  switch (use.action) {
    case memory_action::load:
      load(step, byte, warp);
      return true;
    case memory_action::store:
      store(step, byte, warp);
      return true;
    case memory_action::load_matrix:
      load_matrices(step, byte, warp);
      return true;
    case memory_action::store_matrix:
      store_matrices(step, byte, warp);
      return true;
    default:
      return false;
  }
}

}  // namespace tcsim::random_programs
