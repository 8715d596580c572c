// SPDX-License-Identifier: Apache-2.0
#include "lane_interpreter.hpp"

#include <algorithm>
#include <array>

#include <tc/isa/constant_register.hpp>
#include <tc/isa/operand_widths.hpp>
#include <tc/isa/special_register.hpp>
#include <tc/lanes/part_of_word.hpp>

namespace tc::lanes {

namespace {

using kind = isa::operand::kind;

constexpr unsigned max_constant_words = 4;  // LDC.128

bool is_predicate(isa::register_file file) {
  return file == isa::register_file::predicate || file == isa::register_file::uniform_predicate;
}
bool is_uniform(isa::register_file file) { return file == isa::register_file::uniform || file == isa::register_file::uniform_predicate; }

/// A value that is the same in all lanes of `mask`, as a uniform register must get; false if there is none.
bool is_same(const warp::lane_vector& value, std::uint32_t mask, std::uint32_t& same) {
  bool is_first = true;
  for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane) {
    if ((mask >> lane & 1U) == 0) continue;
    if (!is_first && value[lane] != same) return false;
    same = value[lane];
    is_first = false;
  }
  return !is_first;
}

}  // namespace

/// Predicates are kept as 0 or 1 in every lane.
lane_interpreter::lane_register lane_interpreter::read(isa::register_file file, unsigned index) const {
  if (isa::is_constant_register(file, index)) return {warp::broadcast(is_predicate(file) ? 1 : 0), every_lane, nullptr};
  const auto found = registers_.find({file, index});
  return found == registers_.end() ? lane_register{} : found->second;
}

/// What depends on another value is unknown where that is, and for the same reason.
void lane_interpreter::add_unknown(lane_register& to, const lane_register& from) {
  if (to.known == every_lane && from.known != every_lane) to.origin = from.origin;
  to.known &= from.known;
}

/// Word `word` of a constant; of an indexed one, that of each lane.
lane_interpreter::lane_register lane_interpreter::constant(const isa::operand& operand, unsigned word) const {
  const isa::memory_reference& index = operand.memory;
  const bool is_indexed = index.base != isa::zero_register || index.uniform != isa::zero_uniform_register;
  if (warp_.constants == nullptr || index.descriptor != isa::zero_uniform_register) return {};
  if (!is_indexed) {
    const auto value = warp_.constants->word(operand.bank, operand.value + 4 * word);
    return {warp::broadcast(value.value_or(0)), value ? every_lane : 0, nullptr};
  }
  const auto offset = addresses(index);
  lane_register result;
  for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane) {
    if ((offset.known >> lane & 1U) == 0) continue;
    const auto value = warp_.constants->word(operand.bank, operand.value + static_cast<std::uint32_t>(offset.value[lane]) + 4 * word);
    result.value[lane] = value.value_or(0);
    if (value) result.known |= 1U << lane;
  }
  return result;
}

lane_interpreter::fetched lane_interpreter::fetch(const isa::operand& operand, unsigned registers) const {
  const lane_register zero{warp::lane_vector{}, every_lane, nullptr};
  switch (operand.what) {
    case kind::immediate:
      return {{warp::broadcast(operand.value), every_lane, nullptr}, zero, 0};
    case kind::constant:
      return {constant(operand, 0), registers > 1 ? constant(operand, 1) : zero, 0};
    case kind::reg: {
      const lane_register low = read(operand.file, operand.index);
      std::uint32_t predicate = 0;
      for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane) predicate |= (low.value[lane] & 1U) << lane;
      const bool has_high = registers > 1 && !isa::is_constant_register(operand.file, operand.index);
      return {low, has_high ? read(operand.file, operand.index + 1U) : zero, predicate};
    }
    default:
      return {};
  }
}

void lane_interpreter::write(const isa::operand& destination, unsigned i, const lane_register& value, std::uint32_t mask) {
  if (isa::is_constant_register(destination.file, destination.index)) return;
  lane_register& written = registers_[{destination.file, destination.index + i}];
  if (is_uniform(destination.file)) {
    std::uint32_t same = 0;
    const bool is_known = (mask & ~value.known) == 0 && is_same(value.value, mask, same);
    written = {warp::broadcast(same), is_known ? every_lane : 0, value.origin};
    return;
  }
  if ((mask & ~value.known) != 0) written.origin = value.origin;
  for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane)
    if ((mask >> lane & 1U) != 0) written.value[lane] = value.value[lane];
  written.known = (written.known & ~mask) | (value.known & mask);
}

void lane_interpreter::write_unknown(const isa::instruction& code, std::uint32_t mask) {
  if (code.destination_count != 0) ++not_computed_;
  for (unsigned d = 0; d < code.destination_count; ++d)
    for (unsigned i = 0; i < code.destinations[d].count; ++i) write(code.destinations[d], i, {{}, 0, &code}, mask);
}

void lane_interpreter::write_result(const isa::instruction& code, const lane_result& result, const lane_register& known,
                                    std::uint32_t mask) {
  ++computed_;
  for (unsigned d = 0; d < code.destination_count; ++d) {
    const isa::operand& destination = code.destinations[d];
    if (is_predicate(destination.file)) {
      lane_register bits{{}, known.known, known.origin};
      for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane) bits.value[lane] = result.predicates[d] >> lane & 1U;
      write(destination, 0, bits, mask);
    } else {
      for (unsigned i = 0; i < destination.count; ++i) write(destination, i, {result.registers[i], known.known, known.origin}, mask);
    }
  }
}

/// False for clocks, which tell the time, and for what is not modelled.
bool lane_interpreter::execute_special(const isa::instruction& code, std::uint32_t mask) {
  if (code.source_count == 0 || code.sources[0].what != kind::special) return false;
  const std::uint8_t source = code.sources[0].index;
  lane_result result;
  if (isa::is_clock(static_cast<isa::special_register>(source))) return false;
  if (!read_special_register(source, warp_, 0, result.registers[0], result.registers[1])) return false;
  write_result(code, result, {{}, every_lane, nullptr}, mask);
  return true;
}

/// LDC.U8 and the like. An address is a multiple of the bytes that it names, so that they are in one word.
bool lane_interpreter::execute_part_load(const isa::instruction& code, std::uint32_t mask) {
  const isa::operand& source = code.sources[0];
  lane_register result;
  const auto offset = addresses(source.memory);
  if (warp_.constants == nullptr || source.memory.descriptor != isa::zero_uniform_register) return false;
  for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane) {
    if ((offset.known >> lane & 1U) == 0) continue;
    const auto byte = static_cast<std::uint32_t>(offset.value[lane]);
    const auto word = warp_.constants->word(source.bank, word_address(byte, code.mods));
    if (!word) continue;
    result.value[lane] = part_of_word(*word, byte, code.mods);
    result.known |= 1U << lane;
  }
  result.origin = offset.origin != nullptr ? offset.origin : &code;
  write(code.destinations[0], 0, result, mask);
  ++computed_;
  return true;
}

bool lane_interpreter::execute_constant_load(const isa::instruction& code, std::uint32_t mask) {
  if (isa::unit_of(code.op) != isa::execution_unit::constant_load || code.sources[0].what != kind::constant) return false;
  if (code.mods.access_bits < 32) return execute_part_load(code, mask);
  // All words are read before one is written: the index may be in a register of the destination.
  std::array<lane_register, max_constant_words> words{};
  const unsigned count = std::min<unsigned>(code.destinations[0].count, max_constant_words);
  for (unsigned i = 0; i < count; ++i) {
    words[i] = constant(code.sources[0], i);
    if (words[i].origin == nullptr) words[i].origin = &code;
  }
  for (unsigned i = 0; i < count; ++i) write(code.destinations[0], i, words[i], mask);
  ++computed_;
  return true;
}

void lane_interpreter::execute_lane_operation(const isa::instruction& code, std::uint32_t mask) {
  std::array<fetched, isa::instruction::max_sources> values{};
  std::array<lane_source, isa::instruction::max_sources> sources{};
  lane_register known{{}, every_lane, nullptr};
  for (unsigned s = 0; s < code.source_count; ++s) {
    const unsigned registers = isa::source_registers(code, s);
    values[s] = fetch(code.sources[s], registers);
    const bool is_word = code.sources[s].what == kind::immediate;
    sources[s] = {&values[s].low.value, is_word ? nullptr : &values[s].high.value, values[s].predicate};
    add_unknown(known, values[s].low);
    if (registers > 1) add_unknown(known, values[s].high);
  }
  if (known.origin == nullptr) known.origin = &code;
  lane_result result;
  execute_lanes(code, sources, result);
  write_result(code, result, known, mask);
}

void lane_interpreter::execute(const isa::instruction& code, std::uint32_t mask) {
  if (mask == 0) return;
  if (computes_lanes(code)) return execute_lane_operation(code, mask);
  if (execute_special(code, mask) || execute_constant_load(code, mask)) return;
  write_unknown(code, mask);
}

known_lanes<std::array<std::uint64_t, warp::lanes_per_warp>> lane_interpreter::addresses(const isa::memory_reference& memory) const {
  known_lanes<std::array<std::uint64_t, warp::lanes_per_warp>> result{{}, every_lane, nullptr};
  result.value.fill(static_cast<std::uint64_t>(std::int64_t{memory.offset}));
  const auto add = [&](isa::register_file file, unsigned index, unsigned count, unsigned scale) {
    if (isa::is_constant_register(file, index)) return;
    for (unsigned i = 0; i < count; ++i) {
      const lane_register part = read(file, index + i);
      if (part.known != every_lane && result.known == every_lane) result.origin = part.origin;
      result.known &= part.known;
      for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane)
        result.value[lane] += (std::uint64_t{part.value[lane]} << (32 * i)) * scale;
    }
  };
  add(isa::register_file::vector, memory.base, memory.base_count, memory.scale);
  add(isa::register_file::uniform, memory.uniform, memory.uniform_count, 1);
  return result;
}

known_lanes<std::uint32_t> lane_interpreter::predicate(isa::register_file file, unsigned index, bool inverted) const {
  const lane_register predicate = read(file, index);
  known_lanes<std::uint32_t> result{0, predicate.known, predicate.origin};
  for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane) result.value |= (predicate.value[lane] & 1U) << lane;
  if (inverted) result.value = ~result.value;
  return result;
}

}  // namespace tc::lanes
