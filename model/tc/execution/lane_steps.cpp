// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <string>

#include <fmt/format.h>

#include <tc/execution/cta_state.hpp>
#include <tc/execution/instruction_text.hpp>
#include <tc/execution/steps.hpp>
#include <tc/execution/warp_state.hpp>
#include <tc/isa/special_register.hpp>
#include <tc/lanes/lane_operands.hpp>
#include <tc/lanes/part_of_word.hpp>
#include <tc/trace/step.hpp>

namespace tc::execution {

namespace {

constexpr unsigned most_constant_words = 4;  // LDC.128

/// The constant that the launch does not give.
[[noreturn]] void miss_constant(const warp_state& warp, const operation& op) {
  for (unsigned s = 0; s < op.code->source_count; ++s) {
    const isa::operand& source = op.code->sources[s];
    if (op.sources[s].origin == source_origin::missing_constant)
      warp.fail(op, fmt::format("the launch does not say what is in c[{:#x}][{:#x}]; format 2 has lines 'constant {} {:#x} 4 hex ...'",
                                source.bank, source.value, source.bank, source.value));
  }
  warp.fail(op, "the launch does not say what is in a constant");
}

bool is_predicate_file(isa::register_file file) {
  return file == isa::register_file::predicate || file == isa::register_file::uniform_predicate;
}

/// CUDA C++ Programming Guide, compute capabilities.
unsigned warps_of_sm(isa::architecture arch) {
  if (arch == isa::architecture::sm_75) return 32;
  const bool has_fewer = arch == isa::architecture::sm_86 || arch == isa::architecture::sm_89 || arch == isa::architecture::sm_120;
  return has_fewer ? 48 : 64;
}

/// Special registers that the lanes' arithmetic does not know, as they are of a launch and not of a warp.
bool read_launch_register(isa::special_register which, const warp_state& warp, std::uint32_t& value) {
  using reg = isa::special_register;
  const warp::warp_context& context = warp.context();
  switch (which) {
    case reg::tid:
    case reg::ntid:
      return false;
    case reg::warp_id_virtual:  // %warpid is in bits 14:8, as compiled code takes it out
    case reg::virtual_id:
      value = context.warp_in_cta << 8U;
      return true;
    case reg::virtual_cfg:  // and %nwarpid in bits 15:8
      value = warps_of_sm(warp.code().kernel().arch) << 8U;
      return true;
    case reg::virtual_sm_id:
      value = warp.sm();
      return true;
    case reg::warp_error_status:
    case reg::global_timer_high:
    case reg::shared_window_base:
    case reg::local_window_base:
      value = 0;
      return true;
    case reg::local_memory_begin:  // code without optimisation looks whether its stack reaches below it
      value = static_cast<std::uint32_t>(warp.cta().local_begin());
      return true;
    case reg::shared_window_base_high:
      value = static_cast<std::uint32_t>(shared_window >> 32U);
      return true;
    case reg::local_window_base_high:
      value = static_cast<std::uint32_t>(local_window >> 32U);
      return true;
    case reg::shared_bytes:
      value = context.shared_bytes;
      return true;
    case reg::performance_monitor_0:
      value = 0;
      return true;
    case reg::global_timer_low:
      value = static_cast<std::uint32_t>(warp.clock());
      return true;
    default:
      return false;
  }
}

}  // namespace

void steps::refuse(warp_state& warp, const operation& op, std::uint32_t) { warp.fail(op, "not executed: " + warp.code().refusal(op)); }

void steps::do_nothing(warp_state&, const operation&, std::uint32_t) {}

void steps::compute_lanes(warp_state& warp, const operation& op, std::uint32_t mask) {
  const isa::instruction& code = *op.code;
  std::array<lanes::lane_source, isa::instruction::max_sources> sources;
  std::array<std::array<warp::lane_vector, 2>, isa::instruction::max_sources> store;
  for (unsigned s = 0; s < code.source_count; ++s) {
    if (op.sources[s].origin == source_origin::missing_constant) miss_constant(warp, op);
    sources[s] = warp.source(op, s, store[s][0], store[s][1]);
  }
  lanes::lane_result& result = warp.cta().results();
  op.compute(lanes::lane_operands(code, sources), result);
  for (unsigned d = 0; d < code.destination_count; ++d) {
    const isa::operand& destination = code.destinations[d];
    if (is_predicate_file(destination.file)) {
      warp.write_predicate(destination, result.predicates[d], mask);
    } else {
      for (unsigned i = 0; i < destination.count; ++i) warp.write(destination, i, result.registers[i], mask);
    }
  }
}

void steps::read_special_register(warp_state& warp, const operation& op, std::uint32_t mask) {
  const isa::instruction& code = *op.code;
  const std::uint8_t source = code.sources[0].index;
  warp::lane_vector low, high;
  std::uint32_t value = 0;
  if (read_launch_register(static_cast<isa::special_register>(source), warp, value)) {
    low = warp::broadcast(value);
    high = {};
  } else if (!lanes::read_special_register(source, warp.context(), warp.clock(), low, high)) {
    warp.fail(op, fmt::format("{} is not known", isa::name(static_cast<isa::special_register>(source))));
  }
  warp.write(code.destinations[0], 0, low, mask);
  if (code.destinations[0].count > 1) warp.write(code.destinations[0], 1, high, mask);
}

/// LDC, ULDC: all words are read before one is written, as the index may be in a register of the destination.
void steps::load_constant(warp_state& warp, const operation& op, std::uint32_t mask) {
  const isa::instruction& code = *op.code;
  const isa::operand& source = code.sources[0];
  const isa::operand& destination = code.destinations[0];
  const unsigned bits = code.mods.access_bits, words = bits < 32 ? 1 : std::min(bits / 32, most_constant_words);
  std::array<std::uint64_t, warp::lanes_per_warp> offsets{};
  warp.addresses(source.memory, offsets);
  if (source.memory.descriptor != isa::zero_uniform_register) warp.fail(op, "constants of a descriptor are not executed");
  std::array<warp::lane_vector, most_constant_words> values{};
  for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane) {
    if ((mask >> lane & 1U) == 0) continue;
    const auto offset = static_cast<std::uint32_t>(offsets[lane]);
    for (unsigned i = 0; i < words; ++i) {
      const std::uint32_t at = offset + 4 * i;
      const auto word = lanes::constant_part(warp.code().constants(), source.bank, at, code.mods);
      if (!word)
        warp.fail(op, lane,
                  fmt::format("the launch does not say what is in c[{:#x}][{:#x}]; format 2 has lines 'constant {} {:#x} {} hex ...'",
                              source.bank, at, source.bank, at, std::min(bits, 32U) / 8));
      values[i][lane] = *word;
    }
  }
  for (unsigned i = 0; i < words && i < destination.count; ++i) warp.write(destination, i, values[i], mask);
}

namespace {

/// Where the byte begins that R2P.B1 and P2R.B1 name.
unsigned first_bit_of_byte(const isa::instruction& code) {
  for (unsigned byte = 1; byte < 4; ++byte)
    if (has_suffix(code, std::string("B") + std::to_string(byte))) return 8 * byte;
  const isa::register_part part = code.sources[0].part;
  if (part < isa::register_part::byte_1) return 0;
  return 8 * (static_cast<unsigned>(part) - static_cast<unsigned>(isa::register_part::byte_0));
}

}  // namespace

/// R2P, UR2UP: bit i of the register becomes predicate i, where bit i of the second operand is set, or everywhere without one.
void steps::predicates_from_register(warp_state& warp, const operation& op, std::uint32_t mask) {
  const isa::instruction& code = *op.code;
  warp::lane_vector store, chosen = warp::broadcast(~0U);
  const warp::lane_vector values = warp.word(op, 0, store);
  const warp::lane_vector& wanted = code.source_count > 1 ? warp.word(op, 1, chosen) : chosen;
  const unsigned first = first_bit_of_byte(code);
  isa::operand destination = code.destinations[0];
  destination.file = code.op == isa::opcode::ur2up ? isa::register_file::uniform_predicate : isa::register_file::predicate;
  for (unsigned p = 0; p < isa::true_predicate; ++p) {
    if ((wanted[0] >> p & 1U) == 0) continue;
    destination.index = static_cast<std::uint8_t>(p);
    const auto is_set = [&](unsigned lane) { return (values[lane] >> (first + p) & 1U) != 0; };
    warp.write_predicate(destination, lanes::collect_predicate(is_set), mask);
  }
}

/// P2R, UP2UR: predicates as bits, where the last operand has a one; the other bits are those of the second one, if there are three.
void steps::register_from_predicates(warp_state& warp, const operation& op, std::uint32_t mask) {
  const isa::instruction& code = *op.code;
  warp::lane_vector kept_store, wanted_store;
  const warp::lane_vector kept = code.source_count > 2 ? warp.word(op, 1, kept_store) : warp::lane_vector{};
  const warp::lane_vector& wanted = warp.word(op, code.source_count - 1U, wanted_store);
  const auto& file = code.op == isa::opcode::up2ur ? warp.registers().uniform_predicates : warp.registers().predicates;
  const unsigned first = first_bit_of_byte(code);
  warp::lane_vector result;
  for (unsigned lane = 0; lane < warp::lanes_per_warp; ++lane) {
    std::uint32_t bits = 0;
    for (unsigned p = 0; p < isa::true_predicate; ++p) bits |= (file[p] >> lane & 1U) << p;
    result[lane] = (bits & wanted[lane]) << first | (kept[lane] & ~(wanted[lane] << first));
  }
  warp.write(code.destinations[0], 0, result, mask);
}

void steps::load_code_address(warp_state& warp, const operation& op, std::uint32_t mask) {
  const isa::instruction& code = *op.code;
  std::uint64_t address = warp.cta().setting().code_address + code.pc;
  if (code.source_count > 0 && code.sources[0].what == isa::operand::kind::immediate) address += code.sources[0].value;
  warp.write(code.destinations[0], 0, warp::broadcast(static_cast<std::uint32_t>(address)), mask);
  if (code.destinations[0].count > 1)
    warp.write(code.destinations[0], 1, warp::broadcast(static_cast<std::uint32_t>(address >> 32U)), mask);
}

}  // namespace tc::execution
