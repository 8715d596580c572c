// SPDX-License-Identifier: Apache-2.0
#include "address_comparison.hpp"

#include <tc/links/register_position.hpp>

namespace tc::subcore {

namespace {

using action = isa::memory_action;
using address_list = std::array<std::uint64_t, warp::lanes_per_warp>;

bool accesses_memory(isa::memory_action what) {
  switch (what) {
    case action::load:
    case action::store:
    case action::load_matrix:
    case action::store_matrix:
    case action::atomic:
    case action::copy:
      return true;
    default:
      return false;
  }
}

/// Lanes whose address is used: those that are active, and of an 8x8 matrix one for each row.
std::uint32_t lanes_with_address(const warp::warp_step& step) {
  constexpr unsigned rows_per_matrix = 8;
  const action what = isa::info(step.code->op).memory.action;
  const unsigned rows = step.code->mods.matrices * rows_per_matrix;
  if ((what != action::load_matrix && what != action::store_matrix) || rows >= warp::lanes_per_warp) return step.mask;
  return step.mask & ((std::uint32_t{1} << rows) - 1);
}

/// Bits of an address that count.
std::uint64_t address_bits(isa::memory_space space) {
  const bool is_window = space == isa::memory_space::shared || space == isa::memory_space::local;
  return is_window ? 0xffffffffU : ~std::uint64_t{0};
}

}  // namespace

std::optional<unsigned> address_source_of(const isa::instruction& code) {
  const isa::memory_use use = isa::info(code.op).memory;
  if (code.asynchronous != nullptr || !accesses_memory(use.action)) return std::nullopt;
  std::optional<unsigned> found;
  for (unsigned s = 0; s < code.source_count && (!found || use.action == action::copy); ++s)
    if (code.sources[s].what == isa::operand::kind::memory) found = s;
  return found;
}

std::optional<unsigned> copy_target_of(const isa::instruction& code) {
  if (code.asynchronous != nullptr || isa::info(code.op).memory.action != action::copy) return std::nullopt;
  for (unsigned s = 0; s < code.source_count; ++s)
    if (code.sources[s].what == isa::operand::kind::memory) return s;
  return std::nullopt;
}

register_set registers_of_address(const isa::memory_reference& memory) {
  register_set registers;
  const auto add = [&registers](isa::register_file file, unsigned index, unsigned count) {
    for (unsigned i = 0; i < count; ++i) registers.set(links::register_position(file, index + i));
  };
  add(isa::register_file::vector, memory.base, base_registers(memory));
  add(isa::register_file::uniform, memory.uniform, uniform_registers(memory));
  return registers;
}

std::array<std::uint64_t, warp::lanes_per_warp> addresses_of(const isa::memory_reference& memory, const address_terms& terms) {
  address_list all;
  all.fill(static_cast<std::uint64_t>(std::int64_t{memory.offset}) + terms.uniform);
  for (unsigned i = 0; i < terms.base.size(); ++i) {
    if (terms.base[i] == nullptr) continue;
    const unsigned shift = 32 * i;
    for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane)
      all[lane] += (std::uint64_t{(*terms.base[i])[lane]} << shift) * memory.scale;
  }
  return all;
}

links::address_evidence compared(const warp::warp_step& step, const isa::memory_reference& memory, const address_terms& terms) {
  links::address_evidence evidence;
  const std::uint32_t used = lanes_with_address(step);
  evidence.unknown = used & terms.unknown_lanes;
  evidence.compared = used & ~terms.unknown_lanes;
  if (evidence.compared == 0) return evidence;
  const address_list computed = addresses_of(memory, terms);
  const std::uint64_t bits = address_bits(isa::info(step.code->op).memory.space);
  std::uint64_t differences = 0;  // of all lanes together: nearly always there are none
  for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane) differences |= (computed[lane] ^ step.addresses[lane]) & bits;
  if (differences == 0) return evidence;
  for (std::uint32_t left = evidence.compared; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(__builtin_ctz(left));
    if (((computed[lane] ^ step.addresses[lane]) & bits) == 0) continue;
    if (evidence.different == 0) evidence.computed = computed[lane] & bits;
    evidence.different |= std::uint32_t{1} << lane;
  }
  if (terms.is_of_first_lane) {
    const std::uint32_t first = used & (~used + 1), others = evidence.different & ~first;
    evidence.compared &= ~others;
    evidence.unknown |= others;
    evidence.different &= ~others;
  }
  return evidence;
}

}  // namespace tc::subcore
