// SPDX-License-Identifier: Apache-2.0
#include "warp_state.hpp"

namespace tcsim::random_programs {

namespace isa = tc::isa;
using file = isa::register_file;

namespace {

bool is_predicate(const isa::operand& operand) { return operand.file == file::predicate || operand.file == file::uniform_predicate; }

}  // namespace

std::uint32_t bytes_at(const std::vector<std::uint8_t>& memory, std::uint64_t offset, unsigned count) {
  if (offset > memory.size() || memory.size() - offset < count) throw not_executed("an access beyond a memory");
  std::uint32_t value = 0;
  for (unsigned i = 0; i < count; ++i) value |= std::uint32_t{memory[offset + i]} << 8 * i;
  return value;
}

std::uint32_t lane_view::bits(unsigned s, unsigned part) const {
  const isa::operand& from = source(s);
  if (from.what == isa::operand::kind::immediate) return part == 0 ? from.value : 0;
  if (from.what == isa::operand::kind::constant) return bytes_at(*warp_.constants, from.value + 4 * part, 4);
  if (from.what != isa::operand::kind::reg) throw not_executed(code_.text);
  if (from.file == file::vector) return from.index == isa::zero_register ? 0 : warp_.registers.at(from.index + part).at(lane_);
  if (from.file == file::uniform) return from.index == isa::zero_uniform_register ? 0 : warp_.uniform.at(from.index + part);
  throw not_executed(code_.text);
}

std::uint32_t lane_view::word(unsigned s) const {
  std::uint32_t value = bits(s);
  if (source(s).absolute && value >= 0x80000000U) value = 0U - value;
  if (source(s).negated) value = 0U - value;
  return source(s).inverted ? ~value : value;
}

std::uint64_t lane_view::pair(unsigned s) const {
  const bool is_register = source(s).what == isa::operand::kind::reg;
  const std::uint64_t value = std::uint64_t{is_register ? bits(s, 1) : 0} << 32U | bits(s);
  if (source(s).negated) return 0 - value;
  return source(s).inverted ? ~value : value;
}

bool lane_view::predicate(unsigned s) const {
  const isa::operand& from = source(s);
  const bool value =
      from.file == file::uniform_predicate ? warp_.uniform_predicates.at(from.index) : (warp_.predicates.at(from.index) >> lane_ & 1U) != 0;
  return value != from.inverted;
}

void lane_view::give(std::uint32_t value, unsigned part) {
  for (unsigned d = 0; d < code_.destination_count; ++d) {
    const isa::operand& to = code_.destinations.at(d);
    if (to.file == file::vector) return warp_.set(to.index == isa::zero_register ? to.index : to.index + part, lane_, value);
    if (to.file != file::uniform) continue;
    if (to.index != isa::zero_uniform_register) warp_.uniform.at(to.index + part) = value;
    return;
  }
}

void lane_view::give_predicates(bool first, bool second) {
  bool value = first;
  for (unsigned d = 0; d < code_.destination_count; ++d) {
    const isa::operand& to = code_.destinations.at(d);
    if (!is_predicate(to)) continue;
    if (to.index != isa::true_predicate) {
      if (to.file == file::uniform_predicate)
        warp_.uniform_predicates.at(to.index) = value;
      else
        warp_.predicates.at(to.index) = (warp_.predicates.at(to.index) & ~(1U << lane_)) | (value ? 1U : 0U) << lane_;
    }
    value = second;
  }
}

void compute_lanes(const isa::instruction& code, std::uint32_t mask, warp_state& warp, lane_function compute) {
  bool is_uniform = false;
  for (unsigned d = 0; d < code.destination_count; ++d)
    is_uniform = is_uniform || code.destinations.at(d).file == file::uniform || code.destinations.at(d).file == file::uniform_predicate;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    if ((mask >> lane & 1U) == 0) continue;
    lane_view view(code, warp, lane);
    compute(view);
    if (is_uniform) return;
  }
}

}  // namespace tcsim::random_programs
