// SPDX-License-Identifier: Apache-2.0
#include "import_observer.hpp"

#include <fmt/format.h>

#include <tc/execution/cta_state.hpp>
#include <tc/execution/traced_form.hpp>
#include <tc/isa/barrier_arrival.hpp>
#include <tc/trace/instruction_line.hpp>
#include <tc/trace/limits.hpp>
#include <tc/trace/memory_access.hpp>
#include <tc/trace/text_cursor.hpp>

namespace tc::importers {

namespace {

using isa::register_file;

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

const char* name_of(isa::memory_space space) {
  if (space == isa::memory_space::shared) return "shared";
  return space == isa::memory_space::local ? "local" : "global";
}

/// ": c[0x0][0x160] is not given" if an instruction reads this constant.
std::string missing_constant(const execution::operation& op) {
  for (unsigned s = 0; s < op.code->source_count; ++s) {
    const isa::operand& source = op.code->sources[s];
    if (op.sources[s].origin == execution::source_origin::missing_constant)
      return fmt::format(": c[{:#x}][{:#x}] is not given", source.bank, source.value);
  }
  return {};
}

/// Why a register is unknown.
std::string reason(const execution::undefined_origin& origin) {
  if (origin.op == nullptr) return "nothing has written it";
  const isa::instruction& code = *origin.op->code;
  if (isa::unit_of(code.op) == isa::execution_unit::constant_load)
    return fmt::format("from '{}' at {:04x}: nothing gives that constant", code.text, code.pc);
  const std::string missing = origin.address
                                  ? fmt::format(": nothing gives the content of that {} memory", name_of(isa::info(code.op).memory.space))
                                  : missing_constant(*origin.op);
  return fmt::format("from '{}' at {:04x}{}", code.text, code.pc, missing);
}

bool decides_way(const listings::program_instruction& listed) {
  return listed.flow != listings::control_flow::next || isa::unit_of(listed.code.op) == isa::execution_unit::branch;
}

/// Addresses of shared and local memory have 32 bits.
std::uint64_t address_bits(isa::memory_space space) {
  const bool is_window = space == isa::memory_space::shared || space == isa::memory_space::local;
  return is_window ? 0xffffffffU : ~std::uint64_t{0};
}

}  // namespace

bool has_form_in_trace(const execution::program& code, const execution::operation& op) {
  const bool is_of_warpgroup = op.warpgroup != nullptr || op.code->text.rfind("WARPGROUP", 0) == 0;
  return !code.listed(op).line.empty() || (is_of_warpgroup && code.refusal(op).empty());
}

import_observer::import_observer(const listings::sass_kernel& kernel, const kernel_launch& launch, import_report& report,
                                 std::ostream& trace)
    : kernel_(kernel), launch_(launch), report_(report), recorder_(launch.header, launch.content_lines, trace) {}

std::uint32_t import_observer::executes(const warp_state& warp, const operation& op, std::uint32_t mask) {
  const listings::program_instruction& listed = warp.code().listed(op);
  if (!has_form_in_trace(warp.code(), op)) throw no_form_in_trace();
  count(warp, op);
  if (decides_way(listed)) check_way(warp, op);
  const isa::guard_predicate& guard = op.code->guard;
  const execution::undefined_lanes choice = values_.of(warp, guard.file, guard.index);
  if ((choice.lanes & warp.active()) != 0) {
    note(warp, op, "the lanes", name_of(guard.file, guard.index), choice.origin);
    values_.forget_results(warp, op, warp.active(), cause_);
    return 0;
  }
  trace::address_list addresses;
  if (!knows_descriptors(warp, op) || !knows_barrier(warp, op, mask) || !find_addresses(warp, op, mask, addresses)) {
    values_.forget_results(warp, op, mask, cause_);
    return 0;
  }
  recorder_.record(warp, op, mask, addresses);
  report_.add_instruction();
  const bool is_unknown_product = isa::is_mma(op.code->op) && !launch_.arithmetic;
  const std::string refusal = is_unknown_product ? "no machine says how its architecture multiplies" : warp.code().refusal(op);
  if (!refusal.empty() && noted_.insert(op.number).second)
    report_.add_note(fmt::format("{} is recorded, but not executed ({}): its results count as unknown", warp.code().place(op), refusal));
  if (mask == 0) return mask;
  if (is_unknown_product || launch_.addresses.count(op.code->pc) != 0) {
    values_.forget(warp, op, mask, addresses);
    return 0;
  }
  const std::uint32_t followed = values_.follow(warp, op, mask, addresses);
  return decides_way(listed) ? mask : followed;
}

void import_observer::ended(std::uint64_t cta) {
  recorder_.ended(cta);
  values_.ended(cta);
  executed_.erase(cta);
}

void import_observer::count(const warp_state& warp, const operation& op) {
  std::vector<std::uint64_t>& warps = executed_[warp.context().cta];
  if (warps.empty()) warps.resize(launch_.header.warps_per_cta());
  std::uint64_t& executed = warps[warp.context().warp_in_cta];
  if (++executed > launch_.max_instructions)
    warp.fail(op, fmt::format("the warp has executed {} instructions here; allow more if it is to end at all", executed - 1));
}

/// Where a warp goes must follow from what is given.
void import_observer::check_way(const warp_state& warp, const operation& op) {
  for (const isa::register_use& use : op.code->reads) {
    for (unsigned i = 0; i < use.count; ++i) {
      const execution::undefined_lanes value = values_.of(warp, use.file, use.index + i);
      if ((value.lanes & warp.active()) != 0)
        warp.fail(op, fmt::format("where the warp goes depends on {}, which is unknown ({}{})", name_of(use.file, use.index + i),
                                  reason(value.origin), value.origin.address ? fmt::format(" at {:#x}", *value.origin.address) : ""));
    }
  }
  const execution::undefined_lanes constants = values_.read_by(warp, op);
  if (constants.lanes != 0 && constants.origin.op == &op)
    warp.fail(op, fmt::format("where the warp goes is unknown{}", missing_constant(op)));
}

/// A product of a warpgroup has its descriptors, and whether it adds to its accumulators, as numbers.
bool import_observer::knows_descriptors(const warp_state& warp, const operation& op) {
  if (op.warpgroup == nullptr) return true;
  for (const isa::register_use& use : op.code->reads) {
    for (unsigned i = 0; i < use.count && use.file != register_file::vector; ++i) {
      const execution::undefined_lanes value = values_.of(warp, use.file, use.index + i);
      if (value.lanes == 0) continue;
      note(warp, op, "the descriptors", name_of(use.file, use.index + i), value.origin);
      return false;
    }
  }
  return true;
}

/// The number of a barrier, and of the threads that it waits for, must be the same in all lanes.
bool import_observer::knows_barrier(const warp_state& warp, const operation& op, std::uint32_t mask) {
  if (isa::role_of(op.code->op) != isa::issue_role::arrives_at_barrier) return true;
  const isa::barrier_operands operands = isa::barrier_operands_of(*op.code);
  const std::uint32_t lanes = mask != 0 ? mask : warp.active();
  for (const isa::operand* const operand : {operands.number, operands.threads}) {
    if (operand == nullptr || !operand->is_register(register_file::vector) || operand->index == isa::zero_register) continue;
    const execution::undefined_lanes value = values_.of(warp, operand->file, operand->index);
    const warp::lane_vector& held = warp.registers().vector[operand->index];
    bool is_known = (value.lanes & lanes) == 0;
    trace::for_each_lane(lanes, [&](unsigned lane) { is_known = is_known && held[lane] == held[trace::first_lane(lanes)]; });
    if (is_known) continue;
    note(warp, op, "the barrier", name_of(operand->file, operand->index), value.origin);
    return false;
  }
  return true;
}

/// False if they are not known.
bool import_observer::find_addresses(const warp_state& warp, const operation& op, std::uint32_t mask, trace::address_list& addresses) {
  const trace::memory_access& access = warp.code().listed(op).access;
  if (access.space == isa::memory_space::none || mask == 0) return true;
  const std::uint32_t lanes = access.every_lane ? trace::all_lanes : mask;
  const auto given = launch_.addresses.find(op.code->pc);
  if (given == launch_.addresses.end()) return compute_addresses(warp, op, lanes, addresses);
  take_addresses(warp, op, given->second, addresses, lanes);
  return true;
}

void import_observer::take_addresses(const warp_state& warp, const operation& op, const std::string& given, trace::address_list& addresses,
                                     std::uint32_t lanes) const {
  const std::string name = fmt::format("the addresses '{}' of '{}' at {:04x}", given, op.code->text, op.code->pc);
  trace::text_cursor in({name, 1, given});
  trace::parse_addresses(in, lanes, addresses);
  trace::check_addresses(warp.code().listed(op).access, addresses, launch_.header, in, 0);
}

/// Lanes of a matrix load whose address is not used get one all the same, be it 0.
bool import_observer::compute_addresses(const warp_state& warp, const operation& op, std::uint32_t lanes, trace::address_list& addresses) {
  const listings::program_instruction& listed = warp.code().listed(op);
  const isa::memory_reference* const operand = execution::traced_operand(*op.code);
  if (operand == nullptr) warp.fail(op, "it has no address to compute");
  const execution::undefined_lanes unknown = values_.of(warp, *operand);
  const std::uint32_t whole_warp = launch_.header.lanes_of_warp(warp.context().warp_in_cta);
  const std::uint32_t needed = lanes & listed.access.used & (listed.access.every_lane ? whole_warp : trace::all_lanes);
  if ((needed & unknown.lanes) != 0) {
    note(warp, op, "the address", unknown_register(warp, *operand, needed), unknown.origin);
    return false;
  }
  std::array<std::uint64_t, warp::lanes_per_warp> computed{};
  warp.addresses(*operand, computed);
  trace::for_each_lane(lanes, [&](unsigned lane) {
    const bool is_known = (unknown.lanes >> lane & 1U) == 0;
    const std::uint64_t address = is_known ? computed[lane] & address_bits(listed.access.space) : 0;
    if (address >= trace::address_limit)
      warp.fail(op, lane, fmt::format("its address is {:#x}; it must be below {:#x}", address, trace::address_limit));
    addresses.set(lane, address);
  });
  const trace::text_cursor place({kernel_.file, listed.listing_line, {}});
  trace::check_addresses(listed.access, addresses, launch_.header, place, listed.listing_column - 1);
  return true;
}

std::string import_observer::unknown_register(const warp_state& warp, const isa::memory_reference& memory, std::uint32_t lanes) {
  for (unsigned i = 0; i < memory.base_count; ++i)
    if ((values_.of(warp, register_file::vector, memory.base + i).lanes & lanes) != 0)
      return name_of(register_file::vector, memory.base + i);
  for (unsigned i = 0; i < memory.uniform_count; ++i)
    if (values_.of(warp, register_file::uniform, memory.uniform + i).lanes != 0) return name_of(register_file::uniform, memory.uniform + i);
  return "a register";
}

void import_observer::note(const warp_state& warp, const operation& op, const std::string& what, const std::string& reg,
                           const execution::undefined_origin& origin) {
  cause_ = origin.op != nullptr ? origin : execution::undefined_origin{&op, std::nullopt};
  report_.add_gap(fmt::format("{} of '{}' at {:04x}: {} is unknown, {}", what, op.code->text, op.code->pc, reg, reason(origin)), "nothing",
                  kernel_.file, warp.code().listed(op).listing_line);
}

}  // namespace tc::importers
