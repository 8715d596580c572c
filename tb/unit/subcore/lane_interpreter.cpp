#include "lane_interpreter.hpp"

#include <tc/isa/operand_widths.hpp>

namespace tc::subcore::test {

namespace {

constexpr std::uint32_t everywhere = 0xffffffffU;

using isa::register_file;
using kind = isa::operand::kind;

bool is_predicate(register_file file) { return file == register_file::predicate || file == register_file::uniform_predicate; }
bool is_uniform(register_file file) { return file == register_file::uniform || file == register_file::uniform_predicate; }

bool is_constant_register(register_file file, unsigned index) {
  switch (file) {
    case register_file::vector:
      return index == isa::zero_register;
    case register_file::uniform:
      return index == isa::zero_uniform_register;
    default:
      return index == isa::true_predicate;
  }
}

}  // namespace

lane_interpreter::lane_interpreter(const warp_context& warp) : warp_(warp) {}

/// Predicates are kept as 0 or 1 in every lane.
lane_interpreter::lane_register lane_interpreter::read(register_file file, unsigned index) const {
  if (is_constant_register(file, index)) return {broadcast(is_predicate(file) ? 1 : 0), everywhere};
  const auto found = registers_.find({file, index});
  return found == registers_.end() ? lane_register{} : found->second;
}

lane_interpreter::lane_register lane_interpreter::constant(const isa::operand& operand, unsigned word) const {
  const auto value = warp_.constants->word(operand.bank, operand.value + 4 * word);
  return {broadcast(value.value_or(0)), value ? everywhere : 0};
}

lane_interpreter::fetched lane_interpreter::fetch(const isa::operand& operand, unsigned registers) const {
  const lane_register zero{lane_vector{}, everywhere};
  switch (operand.what) {
    case kind::immediate:
      return {{broadcast(operand.value), everywhere}, zero, 0};
    case kind::constant:
      return {constant(operand, 0), registers > 1 ? constant(operand, 1) : zero, 0};
    case kind::reg: {
      const lane_register low = read(operand.file, operand.index);
      std::uint32_t predicate = 0;
      for (unsigned lane = 0; lane < lanes_per_warp; ++lane) predicate |= (low.value[lane] & 1U) << lane;
      const bool has_high = registers > 1 && !is_constant_register(operand.file, operand.index);
      return {low, has_high ? read(operand.file, operand.index + 1U) : zero, predicate};
    }
    default:
      return {};
  }
}

void lane_interpreter::write(const isa::operand& destination, unsigned i, const lane_register& value, std::uint32_t mask) {
  if (is_constant_register(destination.file, destination.index)) return;
  lane_register& written = registers_[{destination.file, destination.index + i}];
  if (is_uniform(destination.file)) {
    written = {broadcast(value.value[0]), (value.defined & 1U) != 0 ? everywhere : 0};
    return;
  }
  for (unsigned lane = 0; lane < lanes_per_warp; ++lane)
    if ((mask >> lane & 1U) != 0) written.value[lane] = value.value[lane];
  written.defined = (written.defined & ~mask) | (value.defined & mask);
}

void lane_interpreter::write_undefined(const isa::instruction& code, std::uint32_t mask) {
  if (code.destination_count != 0) ++not_computed_;
  for (unsigned d = 0; d < code.destination_count; ++d)
    for (unsigned i = 0; i < code.destinations[d].count; ++i) write(code.destinations[d], i, {}, mask);
}

void lane_interpreter::write_result(const isa::instruction& code, const lane_result& result, std::uint32_t defined, std::uint32_t mask) {
  ++computed_;
  for (unsigned d = 0; d < code.destination_count; ++d) {
    const isa::operand& destination = code.destinations[d];
    if (is_predicate(destination.file)) {
      lane_register bits{{}, defined};
      for (unsigned lane = 0; lane < lanes_per_warp; ++lane) bits.value[lane] = result.predicates[d] >> lane & 1U;
      write(destination, 0, bits, mask);
    } else {
      for (unsigned i = 0; i < destination.count; ++i) write(destination, i, {result.registers[i], defined}, mask);
    }
  }
}

bool lane_interpreter::execute_special(const isa::instruction& code, lane_result& result) const {
  constexpr std::uint64_t some_clock = 0x1'2345'6789;
  return read_special_register(code.sources[0].index, warp_, some_clock, result.registers[0], result.registers[1]);
}

bool lane_interpreter::execute_constant_load(const isa::instruction& code, std::uint32_t mask) {
  if (code.sources[0].memory.base_count != 0) return false;
  for (unsigned i = 0; i < code.destinations[0].count; ++i) write(code.destinations[0], i, constant(code.sources[0], i), mask);
  ++computed_;
  return true;
}

void lane_interpreter::execute_lane_operation(const isa::instruction& code, std::uint32_t mask) {
  std::array<fetched, isa::instruction::max_sources> values{};
  std::array<lane_source, isa::instruction::max_sources> sources{};
  std::uint32_t defined = everywhere;
  for (unsigned s = 0; s < code.source_count; ++s) {
    values[s] = fetch(code.sources[s], isa::source_registers(code, s));
    sources[s] = {&values[s].low.value, &values[s].high.value, values[s].predicate};
    defined &= values[s].low.defined;
    if (isa::source_registers(code, s) > 1) defined &= values[s].high.defined;
  }
  lane_result result;
  execute_lanes(code, sources, result);
  write_result(code, result, defined, mask);
}

void lane_interpreter::execute(const trace::step& step) {
  const isa::instruction& code = *step.code;
  if (step.mask == 0) return;
  const isa::execution_unit unit = isa::unit_of(code.op);
  lane_result result;
  if (computes_lanes(code)) return execute_lane_operation(code, step.mask);
  if (code.sources[0].what == kind::special && execute_special(code, result)) return write_result(code, result, everywhere, step.mask);
  if (unit == isa::execution_unit::constant_load && execute_constant_load(code, step.mask)) return;
  write_undefined(code, step.mask);
}

std::vector<std::uint64_t> lane_interpreter::addresses(const isa::memory_reference& memory, std::uint32_t lanes) const {
  const auto pair = [&](register_file file, unsigned index, unsigned count, std::uint32_t& defined) {
    std::array<std::uint64_t, lanes_per_warp> value{};
    if (count == 0 || is_constant_register(file, index)) return value;
    for (unsigned i = 0; i < count; ++i) {
      const lane_register part = read(file, index + i);
      defined &= part.defined;
      for (unsigned lane = 0; lane < lanes_per_warp; ++lane) value[lane] |= std::uint64_t{part.value[lane]} << (32 * i);
    }
    return value;
  };
  std::uint32_t defined = everywhere;
  const auto base = pair(register_file::vector, memory.base, memory.base_count, defined);
  const auto uniform = pair(register_file::uniform, memory.uniform, memory.uniform_count, defined);
  if ((lanes & ~defined) != 0) return {};
  std::vector<std::uint64_t> result;
  for (unsigned lane = 0; lane < lanes_per_warp; ++lane)
    result.push_back(base[lane] * memory.scale + uniform[lane] + static_cast<std::uint64_t>(std::int64_t{memory.offset}));
  return result;
}

bool lane_interpreter::guard(const isa::guard_predicate& guard, std::uint32_t& lanes) const {
  const lane_register predicate = read(guard.file, guard.index);
  lanes = 0;
  for (unsigned lane = 0; lane < lanes_per_warp; ++lane) lanes |= (predicate.value[lane] & 1U) << lane;
  if (guard.inverted) lanes = ~lanes;
  return predicate.defined == everywhere;
}

}  // namespace tc::subcore::test
