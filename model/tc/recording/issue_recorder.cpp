// SPDX-License-Identifier: Apache-2.0
#include "issue_recorder.hpp"

#include <algorithm>
#include <string_view>

#include <tc/recording/record_types.hpp>
#include <tc/warp/warp_context.hpp>

namespace tc::recording {

/// Null for files that are no registers, and for those that are constant.
std::uint64_t* register_writers::writer(isa::register_file file, unsigned index) {
  const auto of = [&](std::size_t row, unsigned constant) { return index == constant ? nullptr : &writers_[row][index]; };
  switch (file) {
    case isa::register_file::vector:
      return of(0, isa::zero_register);
    case isa::register_file::uniform:
      return of(1, isa::zero_uniform_register);
    case isa::register_file::predicate:
      return of(2, isa::true_predicate);
    case isa::register_file::uniform_predicate:
      return of(3, isa::true_predicate);
    default:
      return nullptr;
  }
}

const std::vector<std::uint64_t>& register_writers::producers(const isa::instruction& consumer) {
  found_.clear();
  for (const isa::register_use& use : consumer.reads)
    for (unsigned r = 0; r < use.count; ++r) {
      const std::uint64_t* const last = writer(use.file, use.index + r);
      if (last != nullptr && *last != 0 && std::find(found_.begin(), found_.end(), *last) == found_.end()) found_.push_back(*last);
    }
  return found_;
}

void register_writers::written_by(const isa::instruction& producer, std::uint64_t record) {
  for (const isa::register_use& use : producer.writes)
    for (unsigned r = 0; r < use.count; ++r)
      if (std::uint64_t* const last = writer(use.file, use.index + r); last != nullptr) *last = record;
}

namespace {

/// Of "gpu.sm_0.sub_core_1.scheduler", what is in front of the last dot.
std::string parent_of(const std::string& path) { return path.substr(0, path.rfind('.')); }

/// Mnemonic and modifiers, without guard and operands.
std::string_view opcode_text(const isa::instruction& code) {
  std::string_view text = code.text;
  if (!text.empty() && text.front() == '@') text.remove_prefix(std::min(text.find(' ') + 1, text.size()));
  return text.substr(0, text.find_first_of(" ;"));
}

}  // namespace

issue_recorder::issue_recorder(fabric::recorder& records, const std::string& scheduler, unsigned warp_slots)
    : records_(records), issue_(records.add_stream(scheduler, issue_type)), empty_slot_(records.add_stream(scheduler, empty_slot_type)) {
  for (unsigned slot = 0; slot < warp_slots; ++slot) slots_.push_back(make_slot(parent_of(scheduler) + ".warp_" + std::to_string(slot)));
}

issue_recorder::warp_slot issue_recorder::make_slot(const std::string& path) {
  warp_slot slot{};
  slot.resident = &records_.add_stream(path, resident_type);
  slot.instruction = &records_.add_stream(path, instruction_type);
  slot.stall = &records_.add_stream(path, stall_type);
  slot.dependence = &records_.add_stream(path, dependence_type);
  for (std::size_t c = 0; c < slot.counters.size(); ++c)
    slot.counters[c] = &records_.add_stream(path + ".sb_" + std::to_string(c), dependence_counter_type);
  return slot;
}

void issue_recorder::launched(const warp::warp_context& warp, cycle_t first) {
  warp_slot& slot = slots_[warp.slot];
  slot.resident_record =
      records_.begin(*slot.resident, first, {std::uint64_t{warp.kernel}, std::uint64_t{warp.cta}, std::uint64_t{warp.warp_in_cta}});
  slot.writers.clear();
}

void issue_recorder::drained(const warp::warp_context& warp, cycle_t cycle) {
  warp_slot& slot = slots_[warp.slot];
  close(*slot.stall, slot.wait, cycle);
  records_.end(*slot.resident, slot.resident_record, cycle);
}

std::uint64_t issue_recorder::issued(const warp::warp_context& warp, const warp::warp_step& step, cycle_t cycle) {
  warp_slot& slot = slots_[warp.slot];
  const isa::instruction& code = *step.code;
  close(*slot.stall, slot.wait, cycle);
  close(empty_slot_, empty_, cycle);
  if (records_.is_over()) return 0;
  const std::string_view opcode = opcode_text(code);
  const std::uint64_t record =
      records_.begin(*slot.instruction, cycle,
                     {opcode, std::string_view(code.text), std::uint64_t{step.pc}, std::uint64_t{step.line}, std::uint64_t{warp.kernel},
                      std::uint64_t{warp.cta}, std::uint64_t{warp.warp_in_cta}, std::uint64_t{step.mask}});
  records_.span(issue_, cycle, cycle + 1, {std::uint64_t{warp.slot}, std::uint64_t{step.pc}, opcode}, record);
  for (const std::uint64_t producer : slot.writers.producers(code)) records_.span(*slot.dependence, cycle, cycle, {producer}, record);
  slot.writers.written_by(code, record);
  return record;
}

void issue_recorder::retired(const warp::warp_context& warp, std::uint64_t record, cycle_t cycle) {
  records_.end(*slots_[warp.slot].instruction, record, cycle);
}

void issue_recorder::waits(const warp::warp_context& warp, const warp::warp_step& next, links::stall_cause cause, cycle_t cycle) {
  warp_slot& slot = slots_[warp.slot];
  if (slot.wait.record != 0 && slot.wait.cause == cause) return;
  close(*slot.stall, slot.wait, cycle);
  if (records_.is_over()) return;
  slot.wait = {records_.begin(*slot.stall, cycle, {std::uint64_t{links::index(cause)}, std::uint64_t{next.pc}}), cause, cycle};
}

void issue_recorder::slots_empty(links::stall_cause cause, cycle_t cycle) {
  if (empty_.record != 0 && empty_.cause == cause) return;
  close(empty_slot_, empty_, cycle);
  if (records_.is_over()) return;
  empty_ = {records_.begin(empty_slot_, cycle, {std::uint64_t{links::index(cause)}}), cause, cycle};
}

/// What was told ahead and did not come true has taken no time.
void issue_recorder::close(const fabric::record_stream& stream, open_wait& wait, cycle_t cycle) {
  if (wait.record != 0) records_.end(stream, wait.record, std::max(cycle, wait.begin));
  wait = {};
}

void issue_recorder::counter_held(const warp::warp_context& warp, unsigned counter, std::uint64_t record, cycle_t cycle) {
  warp_slot& slot = slots_[warp.slot];
  if (records_.is_over()) return;
  slot.holds[counter][record] = records_.begin(*slot.counters[counter], cycle, {}, record);
}

void issue_recorder::counter_released(const warp::warp_context& warp, unsigned counter, std::uint64_t record, cycle_t cycle) {
  warp_slot& slot = slots_[warp.slot];
  if (slot.holds[counter].empty()) return;
  const auto hold = slot.holds[counter].find(record);
  if (hold == slot.holds[counter].end()) return;
  records_.end(*slot.counters[counter], hold->second, cycle);
  slot.holds[counter].erase(hold);
}

}  // namespace tc::recording
