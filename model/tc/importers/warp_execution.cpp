// SPDX-License-Identifier: Apache-2.0
#include "warp_execution.hpp"

#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>

#include <fmt/compile.h>
#include <fmt/format.h>

#include <tc/isa/barrier_arrival.hpp>
#include <tc/isa/instruction_parser.hpp>
#include <tc/isa/source_text.hpp>
#include <tc/listings/sass_program.hpp>
#include <tc/trace/instruction_line.hpp>
#include <tc/trace/limits.hpp>
#include <tc/trace/step.hpp>
#include <tc/trace/text_cursor.hpp>
#include <tc/trace/trace_error.hpp>
#include <tc/trace/trace_writing.hpp>

namespace tc::importers {

namespace {

/// The line of a BAR, of which registers hold the number of the barrier, the threads, or both, with numbers in their place. Where one
/// register stands for both, its bits 3:0 are the barrier, and the threads begin at bit 16, as nvcc 12 puts them together.
std::string line_with_numbers(const listings::program_instruction& bar, std::uint32_t number, std::uint32_t threads) {
  using kind = isa::operand::kind;
  const isa::barrier_operands operands = isa::barrier_operands_of(bar.code);
  const bool is_packed = operands.threads != nullptr && operands.number->what == kind::reg && operands.threads->what == kind::reg;
  const std::string_view text = bar.code.text, line = bar.line;
  const std::size_t begin = line.rfind(text), first = line.find_first_of(" \t", begin);
  std::size_t behind = line.find(',', first);
  std::string numbers = fmt::format(" {:#x}", is_packed ? number & 0xfU : number);
  if (operands.threads != nullptr) {
    numbers += fmt::format(", {:#x}", is_packed ? threads >> 16U : threads);
    behind = line.find(',', behind + 1);
  }
  return fmt::format("{}{}{}", line.substr(0, first), numbers, behind == std::string_view::npos ? "" : line.substr(behind));
}

using isa::register_file;

constexpr std::string_view what_is_taken =
    "; the importer takes straight-line kernels, and branches that follow from constants and thread numbers and that all lanes of a warp "
    "take, or none";

/// "R6", "UP0".
std::string name_of(register_file file, unsigned index) {
  switch (file) {
    case register_file::uniform:
      return fmt::format("UR{}", index);
    case register_file::predicate:
      return fmt::format("P{}", index);
    case register_file::uniform_predicate:
      return fmt::format("UP{}", index);
    default:
      return fmt::format("R{}", index);
  }
}

/// ": c[0x0][0x160] is not given" if an instruction reads this constant, which nobody knows.
std::string missing_constant(const isa::instruction& code, const warp::constant_memory& constants) {
  for (unsigned s = 0; s < code.source_count; ++s) {
    const isa::operand& source = code.sources[s];
    if (source.what == isa::operand::kind::constant && !constants.word(source.bank, source.value))
      return fmt::format(": c[{:#x}][{:#x}] is not given", source.bank, source.value);
  }
  return {};
}

/// Why a register is unknown.
std::string reason(const isa::instruction* origin, const warp::warp_context& warp) {
  if (origin == nullptr) return "nothing has written it";
  return fmt::format("from '{}' at {:04x}{}", origin->text, origin->pc, missing_constant(*origin, *warp.constants));
}

/// The operand that the addresses of an instruction are of: of a copy to shared memory, the global one, which stands last.
const isa::memory_reference* address_operand(const isa::instruction& code) {
  const bool is_copy = isa::info(code.op).memory.action == isa::memory_action::copy;
  const isa::memory_reference* found = nullptr;
  for (unsigned s = 0; s < code.source_count && (found == nullptr || is_copy); ++s)
    if (code.sources[s].what == isa::operand::kind::memory) found = &code.sources[s].memory;
  return found;
}

/// Addresses of shared and local memory have 32 bits.
std::uint64_t address_bits(isa::memory_space space) {
  const bool is_window = space == isa::memory_space::shared || space == isa::memory_space::local;
  return is_window ? 0xffffffffU : ~std::uint64_t{0};
}

}  // namespace

bool warp_execution::run(std::string& text) {
  while (active_ != 0) {
    const listings::program_instruction& next = at_pc();
    if (!next.unknown.empty()) return false;
    if (++instructions_ > setting_.launch.max_instructions)
      fail(next, fmt::format("the warp has executed {} instructions here; allow more if it is to end at all", instructions_ - 1));
    pc_ += trace::instruction_bytes;
    execute(next, text);
  }
  return true;
}

const listings::program_instruction& warp_execution::at_pc() const {
  const std::size_t index = pc_ / trace::instruction_bytes;
  if (index >= setting_.program.size()) fail(setting_.program.back(), "the kernel ends here, but the warp has not come to an EXIT");
  return setting_.program[index];
}

void warp_execution::execute(const listings::program_instruction& next, std::string& text) {
  switch (next.flow) {
    case listings::control_flow::next:
      return execute_plain(next, text);
    case listings::control_flow::exit:
      return leave(next, text);
    default:
      return branch(next, text);
  }
}

void warp_execution::execute_plain(const listings::program_instruction& next, std::string& text) {
  const auto& guard = next.code.guard;
  const auto holds = registers_.predicate(guard.file, guard.index, guard.inverted);
  if ((active_ & ~holds.known) != 0) {
    note_unknown(next, "the lanes", name_of(guard.file, guard.index), holds.origin);
    registers_.forget_results(next.code);
    return;
  }
  const trace::lane_mask mask = active_ & holds.value;
  trace::address_list addresses;
  if (isa::role_of(next.code.op) == isa::issue_role::arrives_at_barrier) {
    if (const auto line = barrier_line(next, mask != 0 ? mask : active_)) append(*line, mask, addresses, text);
  } else if (find_addresses(next, mask, addresses)) {
    append(next.line, mask, addresses, text);
  }
  registers_.execute(next.code, mask);
}

void warp_execution::leave(const listings::program_instruction& next, std::string& text) {
  const lane_choice lanes = choice_of(next);
  append(next.line, lanes.executing, {}, text);
  active_ &= ~lanes.holding;
}

void warp_execution::branch(const listings::program_instruction& next, std::string& text) {
  const lane_choice lanes = choice_of(next);
  append(next.line, lanes.executing, {}, text);
  if (takes_branch(next, lanes)) pc_ = target_of(next);
}

/// The register of a computed branch or a return holds one value in all lanes that go there.
std::uint32_t warp_execution::target_of(const listings::program_instruction& next) const {
  if (!next.target) fail(next, fmt::format("'{}' at {:04x} goes out of the kernel: its label is not there", next.code.text, next.code.pc));
  std::uint32_t target = *next.target;
  if (next.flow == listings::control_flow::computed) {
    const isa::operand& source = next.code.sources[0];
    const auto held = registers_.value(source.file, source.index);
    const std::uint32_t first = held.value[trace::first_lane(active_)];
    bool is_same = (active_ & ~held.known) == 0;
    if (!is_same)
      fail(next, fmt::format("'{}' at {:04x} goes where {} says, which is unknown ({})", next.code.text, next.code.pc,
                             name_of(source.file, source.index), reason(held.origin, warp_)));
    trace::for_each_lane(active_, [&](unsigned lane) { is_same = is_same && held.value[lane] == first; });
    if (!is_same)
      fail(next, fmt::format("the lanes of '{}' at {:04x} go to different places{}", next.code.text, next.code.pc, what_is_taken));
    target += first;
  }
  if (target % trace::instruction_bytes != 0 || target / trace::instruction_bytes >= setting_.program.size())
    fail(next, fmt::format("'{}' at {:04x} goes to {:#x}, where the kernel has no instruction", next.code.text, next.code.pc, target));
  return target;
}

bool warp_execution::takes_branch(const listings::program_instruction& next, const lane_choice& lanes) const {
  if (lanes.holding == 0) return false;
  if (next.flow == listings::control_flow::if_divergent && active_ == whole_warp_) return false;
  if (next.flow != listings::control_flow::branch && next.flow != listings::control_flow::computed)
    fail(next, fmt::format("'{}' cannot be followed{}", next.code.text, what_is_taken));
  if (lanes.holding != active_)
    fail(next, fmt::format("the lanes {:08x} of {:08x} take the branch '{}' at {:04x}{}", lanes.holding, active_, next.code.text,
                           next.code.pc, what_is_taken));
  return true;
}

warp_execution::lane_choice warp_execution::choice_of(const listings::program_instruction& next) const {
  const auto lanes_of = [&](register_file file, unsigned index, bool inverted) {
    const auto holds = registers_.predicate(file, index, inverted);
    if ((active_ & ~holds.known) != 0)
      fail(next, fmt::format("'{}' at {:04x} depends on {}, which is unknown ({}){}", next.code.text, next.code.pc, name_of(file, index),
                             reason(holds.origin, warp_), what_is_taken));
    return holds.value;
  };
  const auto& guard = next.code.guard;
  const trace::lane_mask executing = active_ & lanes_of(guard.file, guard.index, guard.inverted);
  lane_choice lanes{executing, executing};
  for (unsigned s = 0; s < next.code.source_count; ++s) {
    const isa::operand& source = next.code.sources[s];
    if (source.is_register(register_file::predicate) || source.is_register(register_file::uniform_predicate))
      lanes.holding &= lanes_of(source.file, source.index, source.inverted);
  }
  return lanes;
}

void warp_execution::append(std::string_view line, trace::lane_mask mask, const trace::address_list& addresses, std::string& text) const {
  text += line;
  if (mask != whole_warp_) fmt::format_to(std::back_inserter(text), FMT_COMPILE(" mask {:08x}"), mask);
  trace::append_addresses(text, addresses);
  text += '\n';
  report_.add_instruction();
}

/// False if they are not known.
bool warp_execution::find_addresses(const listings::program_instruction& next, trace::lane_mask mask, trace::address_list& addresses) {
  if (next.access.space == isa::memory_space::none || mask == 0) return true;
  const trace::lane_mask lanes = next.access.every_lane ? trace::all_lanes : mask;
  const auto given = setting_.launch.addresses.find(next.code.pc);
  if (given == setting_.launch.addresses.end()) return compute_addresses(next, lanes, addresses);
  take_addresses(next, given->second, lanes, addresses);
  return true;
}

void warp_execution::take_addresses(const listings::program_instruction& next, const std::string& given, trace::lane_mask lanes,
                                    trace::address_list& addresses) const {
  const std::string name = fmt::format("the addresses '{}' of '{}' at {:04x}", given, next.code.text, next.code.pc);
  trace::text_cursor in({name, 1, given});
  trace::parse_addresses(in, lanes, addresses);
  trace::check_addresses(next.access, addresses, setting_.launch.header, in, 0);
}

/// Lanes of a matrix load whose address is not used get one all the same, be it 0.
bool warp_execution::compute_addresses(const listings::program_instruction& next, trace::lane_mask lanes, trace::address_list& addresses) {
  const isa::memory_reference* const operand = address_operand(next.code);
  if (operand == nullptr) fail(next, fmt::format("'{}' has no address to compute", next.code.text));
  const auto computed = registers_.addresses(*operand);
  const trace::lane_mask needed = lanes & next.access.used & (next.access.every_lane ? whole_warp_ : trace::all_lanes);
  if ((needed & ~computed.known) != 0) {
    note_unknown(next, "the address", unknown_register(*operand, needed), computed.origin);
    return false;
  }
  trace::for_each_lane(lanes, [&](unsigned lane) {
    const bool is_known = trace::has_lane(computed.known, lane);
    const std::uint64_t address = is_known ? computed.value[lane] & address_bits(next.access.space) : 0;
    if (address >= trace::address_limit)
      fail(next, fmt::format("the address of lane {} is {:#x}; it must be below {:#x}", lane, address, trace::address_limit));
    addresses.set(lane, address);
  });
  const trace::text_cursor place({setting_.kernel.file, next.listing_line, {}});
  trace::check_addresses(next.access, addresses, setting_.launch.header, place, next.listing_column - 1);
  return true;
}

/// BAR with its barrier and threads as numbers; none if a register that holds them is not known, or not the same in all lanes.
std::optional<std::string> warp_execution::barrier_line(const listings::program_instruction& next, trace::lane_mask lanes) {
  const isa::barrier_operands operands = isa::barrier_operands_of(next.code);
  if (!operands.have_registers()) return next.line;
  const auto number_in = [&](const isa::operand& operand) -> std::optional<std::uint32_t> {
    if (operand.what != isa::operand::kind::reg) return operand.value;
    const auto held = registers_.value(operand.file, operand.index);
    const std::uint32_t first = held.value[trace::first_lane(lanes)];
    bool is_same = (lanes & ~held.known) == 0;
    trace::for_each_lane(lanes, [&](unsigned lane) { is_same = is_same && held.value[lane] == first; });
    if (!is_same) note_unknown(next, "the barrier", name_of(operand.file, operand.index), held.origin);
    return is_same ? std::optional(first) : std::nullopt;
  };
  const auto number = number_in(*operands.number);
  const auto threads = operands.threads != nullptr ? number_in(*operands.threads) : 0;
  if (!number || !threads) return std::nullopt;
  std::string line = line_with_numbers(next, *number, *threads);
  try {
    isa::parse_instruction(line, setting_.kernel.arch);
  } catch (const isa::syntax_error& error) {
    fail(next, fmt::format("as its registers are, '{}' at {:04x} is '{}': {}", next.code.text, next.code.pc, line, error.what()));
  }
  return line;
}

std::string warp_execution::unknown_register(const isa::memory_reference& memory, trace::lane_mask lanes) const {
  for (unsigned i = 0; i < memory.base_count; ++i)
    if (!registers_.knows(register_file::vector, memory.base + i, lanes)) return name_of(register_file::vector, memory.base + i);
  for (unsigned i = 0; i < memory.uniform_count; ++i)
    if (!registers_.knows(register_file::uniform, memory.uniform + i, lanes)) return name_of(register_file::uniform, memory.uniform + i);
  return "a register";
}

void warp_execution::note_unknown(const listings::program_instruction& next, const std::string& what, const std::string& reg,
                                  const isa::instruction* origin) {
  report_.add_gap(fmt::format("{} of '{}' at {:04x}: {} is unknown, {}", what, next.code.text, next.code.pc, reg, reason(origin, warp_)),
                  "nothing", setting_.kernel.file, next.listing_line);
}

void warp_execution::fail(const listings::program_instruction& at, const std::string& message) const {
  throw trace::trace_error(setting_.kernel.file, at.listing_line, at.listing_column, message);
}

}  // namespace tc::importers
