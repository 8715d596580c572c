// SPDX-License-Identifier: Apache-2.0
#include "undefined_registers.hpp"

namespace tc::execution {

undefined_registers::undefined_registers() { registers_.fill({~0U, {}}); }

std::optional<std::size_t> undefined_registers::place_of(isa::register_file file, unsigned index) {
  switch (file) {
    case isa::register_file::vector:
      return index < isa::zero_register ? std::optional<std::size_t>(index) : std::nullopt;
    case isa::register_file::uniform:
      return index < isa::zero_uniform_register ? std::optional<std::size_t>(first_uniform + index) : std::nullopt;
    case isa::register_file::predicate:
      return index < isa::true_predicate ? std::optional<std::size_t>(first_predicate + index) : std::nullopt;
    case isa::register_file::uniform_predicate:
      return index < isa::true_predicate ? std::optional<std::size_t>(first_uniform_predicate + index) : std::nullopt;
    default:
      return std::nullopt;
  }
}

undefined_lanes undefined_registers::of(isa::register_file file, unsigned index) const {
  const auto place = place_of(file, index);
  return place ? registers_[*place] : undefined_lanes{};
}

void undefined_registers::write(isa::register_file file, unsigned index, std::uint32_t mask, const undefined_lanes& value) {
  const auto place = place_of(file, index);
  if (!place) return;
  undefined_lanes& to = registers_[*place];
  if (file == isa::register_file::uniform || file == isa::register_file::uniform_predicate) {
    to = {(value.lanes & mask) != 0 ? ~0U : 0, value.origin};
    return;
  }
  if ((value.lanes & mask) != 0) to.origin = value.origin;
  to.lanes = (to.lanes & ~mask) | (value.lanes & mask);
}

}  // namespace tc::execution
