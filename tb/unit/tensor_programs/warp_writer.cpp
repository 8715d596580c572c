// SPDX-License-Identifier: Apache-2.0
#include "warp_writer.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace tc::tensor_programs {

namespace {

constexpr unsigned pc_bytes = 16, warp_pcs = 0x40000;
constexpr unsigned most_words = 4;  // of a thread in an access of global memory

bool is_copy(const engine_operation& what) { return std::holds_alternative<tile_copy>(what); }
bool is_shift(const engine_operation& what) { return std::holds_alternative<column_shift>(what); }
bool is_refill(const engine_operation& what) { return is_copy(what) && std::get<tile_copy>(what).form == tile_copy::shape::of_4x256b; }

bool has_same_sums(const matrix_instruction& x, const matrix_instruction& y) {
  return index_of(x.d) == index_of(y.d) && x.m == y.m && x.n == y.n;
}

bool is_of_same_shape(const matrix_instruction& x, const matrix_instruction& y) {
  return x.kind == y.kind && x.is_stationary == y.is_stationary && x.is_sparse == y.is_sparse && x.d_format == y.d_format;
}

/// The PTX ISA does not say whether products that differ in K alone are "of the same accumulator and shape".
bool may_be_pipelined(const engine_operation& first, const engine_operation& then) {
  const auto *const mma = std::get_if<matrix_instruction>(&first), *const next = std::get_if<matrix_instruction>(&then);
  return mma != nullptr && next != nullptr && has_same_sums(*mma, *next) && !is_of_same_shape(*mma, *next);
}

/// PTX ISA, "Pipelined tcgen05 instructions": pairs that take effect in their order.
bool is_pipelined(const engine_operation& first, const engine_operation& then) {
  const auto *const mma = std::get_if<matrix_instruction>(&first), *const next = std::get_if<matrix_instruction>(&then);
  if (next != nullptr) return mma == nullptr || (has_same_sums(*mma, *next) && is_of_same_shape(*mma, *next));
  return is_shift(then) ? mma != nullptr : is_shift(first) && is_refill(then);
}

footprint touched_by(const engine_operation& what) {
  if (const auto* const copy = std::get_if<tile_copy>(&what)) return copy->touched();
  if (const auto* const shift = std::get_if<column_shift>(&what)) return touched_by_shift(shift->first_column);
  return std::get<matrix_instruction>(what).touched();
}

std::string text_of(const engine_operation& what) {
  if (const auto* const copy = std::get_if<tile_copy>(&what)) return copy->text();
  if (const auto* const moved = std::get_if<column_shift>(&what)) return shift_text(moved->first_column);
  return std::get<matrix_instruction>(what).text();
}

void execute(const engine_operation& what, tensor_arrays& arrays) {
  if (const auto* const tile = std::get_if<tile_copy>(&what)) return copy(*tile, arrays);
  if (const auto* const moved = std::get_if<column_shift>(&what)) return shift(moved->first_column, arrays);
  multiply(std::get<matrix_instruction>(what), arrays);
}

const char* width_suffix(unsigned words) { return words == 1 ? "" : words == 2 ? ".64" : ".128"; }

bool meets(const std::vector<footprint>& earlier, const footprint& next) {
  return std::any_of(earlier.begin(), earlier.end(), [&next](const footprint& each) { return each.conflicts_with(next); });
}

}  // namespace

void warp_writer::add(const std::string& instruction, bool one_lane) { text_ += instruction + (one_lane ? " mask 00000001\n" : "\n"); }

void warp_writer::add_machine(const std::string& instruction) {
  text_ += fmt::format("/*{:04x}*/ {}\n", number_ * warp_pcs + pc_bytes * machine_instructions_++, instruction);
}

void warp_writer::access(const warp_access& what, kernel_memory::pool words) {
  const footprint touched = what.touched();
  if (meets(stores_, touched)) wait_for_stores();
  const unsigned first = take_registers(what.registers());
  if (what.is_load) {
    add(what.text(first));
    results_.push_back({first, load(what, all_.arrays)});
    loads_.push_back(touched);
    return;
  }
  if (meets(loads_, touched)) wait_for_loads();
  const warp_registers values = load_words(first, what.registers(), words);
  add(what.text(first));
  store(what, values, all_.arrays);
  stores_.push_back(touched);
}

void warp_writer::wait_for_loads() {
  loads_.clear();
  if (!all_.waits.leaves_out()) add("tcgen05.wait::ld.sync.aligned");
}

void warp_writer::wait_for_stores() {
  stores_.clear();
  if (!all_.waits.leaves_out()) add("tcgen05.wait::st.sync.aligned");
}

/// Registers whose values nobody needs any more; instructions that still use them hold back who writes them.
unsigned warp_writer::take_registers(unsigned count) {
  constexpr std::array<unsigned, 3> places{8, 72, 136};
  const unsigned first = all_.random.pick(places);
  const auto is_needed = [&](const loaded& each) {
    return each.first_register < first + count && first < each.first_register + each.values.size();
  };
  if (std::any_of(results_.begin(), results_.end(), is_needed)) store_results();
  return first;
}

warp_registers warp_writer::load_words(unsigned first_register, unsigned count, kernel_memory::pool from) {
  warp_registers values(count);
  const unsigned words = std::min(count, most_words);
  for (unsigned first = 0; first < count; first += words) {
    const std::uint64_t address = all_.memory.random_address(all_.random, from, words);
    for (unsigned thread = 0; thread < warp_threads; ++thread)
      for (unsigned i = 0; i < words; ++i)
        values[first + i].at(thread) = all_.memory.word(address + (std::uint64_t{thread} * words + i) * word_bytes);
    add_machine(fmt::format("LDG.E{} R{}, [R2.64] @ {:#x}+{}", width_suffix(words), first_register + first, address, words * word_bytes));
  }
  return values;
}

void warp_writer::store_results() {
  for (const loaded& each : results_) {
    const unsigned count = static_cast<unsigned>(each.values.size()), words = std::min(count, most_words);
    for (unsigned first = 0; first < count; first += words)
      add_machine(fmt::format("STG.E{} [R2.64], R{} @ {:#x}+{}", width_suffix(words), each.first_register + first,
                              all_.memory.expect(each.values, first, words), words * word_bytes));
  }
  results_.clear();
}

bool warp_writer::issue(const engine_operation& what, bool may_wait) {
  const footprint touched = touched_by(what);
  std::set<std::size_t> ordered;
  for (std::size_t i = 0; i < issued_.size(); ++i) {
    if (!is_pipelined(issued_[i].what, what)) continue;
    ordered.insert(i);
    ordered.insert(issued_[i].ordered.begin(), issued_[i].ordered.end());
  }
  for (std::size_t i = 0; i < issued_.size(); ++i) {
    if (ordered.count(i) != 0 || !issued_[i].touched.conflicts_with(touched)) continue;
    if (!may_wait) return false;
    const bool is_sure =
        std::none_of(issued_.begin(), issued_.end(), [&what](const issued& each) { return may_be_pipelined(each.what, what); });
    if (!is_sure || !all_.waits.leaves_out()) add_wait_for_engine();
    issued_.clear();
    ordered.clear();
    break;
  }
  if (all_.random.chance(25)) pause(all_.random.between(1, 80));
  add(text_of(what), true);
  execute(what, all_.arrays);
  issued_.push_back({what, touched, std::move(ordered)});
  return true;
}

void warp_writer::pause(unsigned instructions) {
  for (unsigned i = 0; i < instructions; ++i) add_machine("NOP");
}

void warp_writer::wait_for_engine() {
  if (issued_.empty()) return;
  add_wait_for_engine();
  issued_.clear();
}

void warp_writer::add_wait_for_engine() {
  add(fmt::format("tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [{:#x}]", barrier(number_)), true);
  add(fmt::format("mbarrier.try_wait.parity.shared::cta.b64 [{:#x}], {}", barrier(number_), commits_++ % 2), true);
  add("tcgen05.fence::after_thread_sync", true);
}

void warp_writer::meet_others() {
  wait_for_engine();
  store_results();
  if (!loads_.empty()) add("tcgen05.wait::ld.sync.aligned");
  if (!stores_.empty()) add("tcgen05.wait::st.sync.aligned");
  loads_.clear();
  stores_.clear();
  add("tcgen05.fence::before_thread_sync");
  add_machine("BAR.SYNC 0x0");
  add("tcgen05.fence::after_thread_sync");
}

}  // namespace tc::tensor_programs
