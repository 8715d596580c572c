// SPDX-License-Identifier: Apache-2.0
#include "warpgroup_unit.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include <fmt/format.h>

#include <tc/fabric/extensions.hpp>
#include <tc/fabric/local_time.hpp>
#include <tc/fabric/reports.hpp>
#include <tc/links/arrival_cycle.hpp>
#include <tc/subcore/warpgroup/warpgroup_fragment.hpp>
#include <tc/subcore/warpgroup/warpgroup_reports.hpp>

namespace tc::subcore {

std::uint64_t warpgroup_groups::join() {
  ++groups_.back().open;
  return first_ + groups_.size() - 1;
}

void warpgroup_groups::commit() {
  groups_.emplace_back();
  forget();
}

void warpgroup_groups::completes(std::uint64_t number, cycle_t cycle) {
  group& entry = groups_[number - first_];
  --entry.open;
  entry.done = std::max(entry.done, cycle);
  forget();
}

void warpgroup_groups::forget() {
  while (groups_.size() > max_pending + 1 && groups_.front().open == 0) {
    forgotten_ = std::max(forgotten_, groups_.front().done);
    groups_.pop_front();
    ++first_;
  }
}

std::optional<cycle_t> warpgroup_groups::complete_but(std::uint64_t pending) const {
  const std::size_t committed = groups_.size() - 1;
  cycle_t done = forgotten_;
  for (std::size_t i = 0; i + pending < committed; ++i) {
    if (groups_[i].open != 0) return std::nullopt;
    done = std::max(done, groups_[i].done);
  }
  return done;
}

warpgroup_unit::warpgroup_unit(const sc_core::sc_module_name& module_name, const params& parameters, const register_mapping& mapping,
                               links::issue_wakeup& scheduler, fabric::clock_domain& clock, links::issue_slot_account* slots)
    : sc_module(module_name),
      accumulator("accumulator"),
      params_(parameters),
      mapping_(mapping),
      scheduler_(scheduler),
      clock_(clock),
      occupancy_(slots),
      warps_(parameters.warp_slots) {
  dispatch.serve<&warpgroup_unit::dispatched>(*this);
  operands.register_nb_transport_fw(this, &warpgroup_unit::operands_arrived);
  dot_products.answer_to(clock, report::warpgroup_answer, [this](auto& sums) { write_sums(*static_cast<product_request&>(sums).owner); });
  status.bind(*this);
  accumulator.init(mapping.banks());
  for (auto& link : accumulator) link.register_nb_transport_bw(this, &warpgroup_unit::bank_answered);
}

warpgroup_unit::~warpgroup_unit() = default;

links::stall_cause warpgroup_unit::missing_place(const isa::instruction& code, const warp::warp_context& warp, unsigned on_the_way) const {
  if (isa::wgmma_of(code) == nullptr || warps_[warp.slot].joined.size() + on_the_way < params_.warpgroup.queue_entries)
    return links::stall_cause::none;
  refused_ = true;
  return links::stall_cause::tensor_busy;
}

tlm::tlm_sync_enum warpgroup_unit::dispatched(links::warp_instruction& instruction, tlm::tlm_phase& phase, sc_core::sc_time&) {
  if (phase == tlm::BEGIN_REQ) {
    reserve(instruction);
  } else if (phase == links::OPERANDS_READY) {
    begin(instruction);
  }
  return tlm::TLM_COMPLETED;
}

/// Instructions come here in the order of their issue, so that this is where they join their groups.
void warpgroup_unit::reserve(links::warp_instruction& instruction) {
  ++inside_;
  instruction.operands_read = instruction.dispatch;
  instruction.result = 0;
  if (instruction.step.mask == 0) return;
  warp_state& state = state_of(instruction);
  const auto* const control = std::get_if<isa::async_control_operation>(instruction.code().asynchronous.get());
  if (control == nullptr) {
    sc_assert(state.joined.size() < params_.warpgroup.queue_entries);
    state.joined.push_back(state.groups.join());
  } else if (control->control == isa::async_control::warpgroup_commit) {
    state.groups.commit();
  }
}

void warpgroup_unit::begin(links::warp_instruction& instruction) {
  const isa::instruction& code = instruction.code();
  const auto* const control = std::get_if<isa::async_control_operation>(code.asynchronous.get());
  if (instruction.step.mask != 0 && control == nullptr) {
    ++instructions_;
    if (params_.data) instruction.keep_operands();
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    request->nb_transport_fw(instruction, phase, delay);
    return;
  }
  warp_state& state = state_of(instruction);
  const bool is_waiting = instruction.step.mask != 0 && control->control == isa::async_control::warpgroup_wait;
  if (!is_waiting) return send_result(instruction, clock_.cycle() + 1);
  state.waiting = &instruction;
  release_waiting(state);
}

/// A warp that waits goes on in the cycle in which the accumulators of its groups are there.
void warpgroup_unit::release_waiting(warp_state& state) {
  if (state.waiting == nullptr) return;
  const auto& control = std::get<isa::async_control_operation>(*state.waiting->code().asynchronous);
  const std::optional<cycle_t> complete = state.groups.complete_but(control.pending);
  if (complete) send_result(*std::exchange(state.waiting, nullptr), std::max(*complete, clock_.cycle() + 1));
}

tlm::tlm_sync_enum warpgroup_unit::operands_arrived(links::warpgroup_operands& transfer, tlm::tlm_phase& phase, sc_core::sc_time&) {
  if (phase == tlm::BEGIN_REQ) {
    const cycle_t first = std::max(transfer.products_begin, clock_.cycle() + 1);
    occupancy_.take(first, transfer.products_end);
    busy_cycles_ += transfer.products_end - first;
  } else if (phase == links::OPERANDS_READY) {
    enqueue(transfer);
  }
  return tlm::TLM_COMPLETED;
}

void warpgroup_unit::enqueue(const links::warpgroup_operands& transfer) {
  job& next = jobs_.get();
  const config::tensor_core_parameters& core = params_.tensor_core;
  next.instruction = transfer.instruction;
  next.operation = isa::wgmma_of(transfer.instruction->code());
  next.products_begin = transfer.products_begin;
  const isa::mma_operation& mma = next.operation->mma;
  const unsigned rounding = isa::bits(mma.d) == 16 ? core.f16_result_stages : 0;
  next.visible =
      std::max(transfer.products_end + core.multiply_stages + core.adder_stages + core.result_stages + rounding, clock_.cycle() + 1);
  next.has_values = params_.data && transfer.b != nullptr;
  if (next.has_values) {
    next.b.resize(std::size_t{mma.n} * links::warpgroup_k_words);
    load_b(transfer.b, *next.operation, next.b.data());
    if (next.operation->a_in_registers) {
      load_a(*next.instruction, *next.operation, next.a.data());
    } else {
      load_a(transfer.a, *next.operation, next.a.data());
    }
  }
  multiply_accumulates_.add(mma.a, std::uint64_t{links::rows_per_warp} * mma.n * mma.k);

  warp_state& state = state_of(*next.instruction);
  sc_assert(!state.joined.empty());
  state.groups.completes(state.joined.front(), next.visible);
  state.joined.pop_front();
  if (std::exchange(refused_, false)) scheduler_.ask_again(clock_.cycle() + 1);
  release_waiting(state);
  state.jobs.push_back(&next);
  if (state.jobs.size() == 1) start(next);
}

/// Whether the sums that a job adds to are those of the warp's last one, on their way to the register banks.
bool warpgroup_unit::has_sums(const job& next) const {
  const warp_state& state = warps_[next.instruction->warp->slot];
  return state.visible > next.products_begin && state.accumulators == next.operation->accumulators;
}

/// Its sums are the warp's last ones.
void warpgroup_unit::leave_sums(const job& done) {
  warp_state& state = state_of(*done.instruction);
  state.accumulators = done.operation->accumulators;
  state.visible = done.visible;
}

void warpgroup_unit::start(job& next) {
  const isa::wgmma_operation& operation = *next.operation;
  next.multiplied = false;
  const bool reads_sums = operation.accumulate && !has_sums(next);
  if (reads_sums) accumulators_read_ += operation.accumulators.size();
  accumulators_written_ += operation.accumulators.size();
  if (!next.has_values) {
    leave_sums(next);
    return finish(next);
  }
  warp_state& state = state_of(*next.instruction);
  state.rows.arrange(mapping_, next.instruction->warp->slot, operation.accumulators);
  if (operation.accumulate && !reads_sums) return multiply(next);
  state.sums.assign(std::size_t{operation.mma.n} * links::rows_per_warp, 0);
  if (!operation.accumulate) return multiply(next);
  access_banks(next, tlm::TLM_READ_COMMAND, std::max(next.products_begin, links::next_cycle(clock_)));
}

/// Sends a transaction to each bank; access_done() goes on when the last one is answered.
void warpgroup_unit::access_banks(job& owner, tlm::tlm_command command, cycle_t arrival) {
  register_rows& rows = state_of(*owner.instruction).rows;
  owner.outstanding = 1;  // one for this function
  for (const register_rows::bank_ranges& of_bank : rows.banks()) {
    bank_access& access = accesses_.get();
    rows.set(access, of_bank, command, arrival);
    access.record = owner.instruction->record;
    access.owner = &owner;
    ++owner.outstanding;
    tlm::tlm_phase phase = tlm::BEGIN_REQ;
    if (accumulator[of_bank.bank].send(access, phase) != tlm::TLM_ACCEPTED) access_done(access);
  }
  if (--owner.outstanding == 0) go_on(owner);
}

void warpgroup_unit::go_on(job& owner) {
  if (owner.multiplied) return finish(owner);
  warp_state& state = state_of(*owner.instruction);
  for (std::size_t row = 0; row < state.rows.size(); ++row)
    load_sums(*owner.operation, state.rows.number(row), state.rows[row], state.sums.data());
  multiply(owner);
}

tlm::tlm_sync_enum warpgroup_unit::bank_answered(links::bank_transfer& access, tlm::tlm_phase&, sc_core::sc_time&) {
  access_done(static_cast<bank_access&>(access));
  return tlm::TLM_COMPLETED;
}

void warpgroup_unit::access_done(bank_access& access) {
  job& owner = *access.owner;
  const tlm::tlm_response_status answer = access.status;
  accesses_.put_back(access);
  if (answer != tlm::TLM_OK_RESPONSE) {
    const warp::warp_step& step = owner.instruction->step;
    fabric::fault(report::warpgroup_accumulator, *this, clock_.cycle(),
                  fmt::format("line {}: {}: a register bank answered {}", step.line, step.code->text, links::name_of(answer)));
  }
  if (--owner.outstanding == 0) go_on(owner);
}

void warpgroup_unit::multiply(job& started) {
  const isa::wgmma_operation& operation = *started.operation;
  product_request& request_sums = started.products;
  request_sums.owner = &started;
  request_sums.mma = &operation.mma;
  request_sums.shape = {1, links::rows_per_warp, operation.mma.n, operation.mma.k};
  request_sums.a = started.a.data();
  request_sums.b = started.b.data();
  request_sums.c = request_sums.d = state_of(*started.instruction).sums.data();
  request_sums.arrival = links::next_cycle(clock_);
  started.due = started.visible;
  if (dot_products.ask(request_sums)) write_sums(started);
}

/// The sums are formed, and on their way to the banks. Who waits for them has been told when they are there.
void warpgroup_unit::write_sums(job& formed) {
  if (formed.products.complete > formed.due) {
    const warp::warp_step& step = formed.instruction->step;
    fabric::fault(
        report::warpgroup_late, *this, clock_.cycle(),
        fmt::format("line {}: {}: register banks and dot-product units have its sums in cycle {}, and the accumulators were due in "
                    "cycle {}",
                    step.line, step.code->text, formed.products.complete, formed.due));
    formed.due = formed.products.complete;
  }
  leave_sums(formed);
  formed.multiplied = true;
  warp_state& state = state_of(*formed.instruction);
  for (std::size_t row = 0; row < state.rows.size(); ++row)
    store_sums(*formed.operation, state.rows.number(row), state.sums.data(), state.rows[row]);
  access_banks(formed, tlm::TLM_WRITE_COMMAND, formed.due);
}

void warpgroup_unit::finish(job& done) {
  warp_state& state = state_of(*done.instruction);
  state.jobs.pop_front();
  jobs_.put_back(done);
  send_result(*done.instruction, done.visible);
  if (!state.jobs.empty()) start(*state.jobs.front());
}

void warpgroup_unit::send_result(links::warp_instruction& instruction, cycle_t visible) {
  sc_assert(inside_ > 0);
  --inside_;
  instruction.undefined_lanes = 0;
  instruction.result = std::max(visible, links::next_cycle(clock_));
  links::hand_on(result, instruction);
}

void warpgroup_unit::reset() {
  std::fill(warps_.begin(), warps_.end(), warp_state{});
  refused_ = false;
  occupancy_.reset();
  multiply_accumulates_ = {};
  instructions_ = busy_cycles_ = accumulators_read_ = accumulators_written_ = 0;
}

void warpgroup_unit::collect(fabric::statistics_sink& sink) const {
  sink.count("instructions", instructions_, "instructions", "Parts of warpgroup matrix instructions");
  multiply_accumulates_.collect(sink);
  sink.busy(busy_cycles_, "Cycles in which the dot-product units were taken");
  occupancy_.collect(sink);
  sink.count("accumulators_read", accumulators_read_, "registers", "Accumulators read from the register banks");
  sink.count("accumulators_written", accumulators_written_, "registers", "Accumulators written to the register banks");
}

}  // namespace tc::subcore
