// SPDX-License-Identifier: Apache-2.0
#include "cta_dispatcher.hpp"

#include <algorithm>

#include <tc/device/streaming_multiprocessor.hpp>
#include <tc/fabric/local_time.hpp>
#include <tc/links/edge_stage.hpp>

namespace tc::device {

namespace {

constexpr std::size_t none = ~std::size_t{0};

/// The first of the SMs that take the next `together` CTAs, a CTA each: with room, the fewest CTAs, and the lowest number. Pairs take SMs
/// 2j and 2j + 1, those of a TPC. `occupancy_of(i)` is SM i's.
template <class OccupancyOf>
std::size_t choose_sms(std::size_t sms, std::size_t together, const cta_demand& demand, OccupancyOf occupancy_of) {
  std::size_t best = none;
  unsigned fewest = 0;
  for (std::size_t first = 0; first + together <= sms; first += together) {
    unsigned resident = 0;
    bool fits = true;
    for (std::size_t i = first; i < first + together; ++i) {
      resident += occupancy_of(i).resident();
      fits = fits && occupancy_of(i).fits(demand);
    }
    if (!fits || (best != none && resident >= fewest)) continue;
    best = first;
    fewest = resident;
  }
  return best;
}

/// CTAs that must come to neighbouring SMs at once.
std::size_t together(const kernel& kernel) { return kernel.has_pairs() ? 2 : 1; }

}  // namespace

cta_dispatcher::cta_dispatcher(const sc_core::sc_module_name& module_name, sc_core::sc_vector<streaming_multiprocessor>& sms,
                               callbacks owner, fabric::clock_domain& clock)
    : sc_module(module_name),
      sms_(sms),
      owner_(std::move(owner)),
      clock_(clock),
      clocked_id_(links::add_unit(clock, *this, links::edge_stage::assignment)) {
  for (streaming_multiprocessor& sm : sms_) sm.source.bind(*this);
}

cta_dispatcher::~cta_dispatcher() = default;

void cta_dispatcher::start_of_simulation() {
  started_ = true;
  begin_next(0);
}

void cta_dispatcher::look_for_kernel() {
  if (started_ && current_ == nullptr) clock_.wake(clocked_id_, clock_.edge_at(sc_core::sc_get_time_resolution()));
}

void cta_dispatcher::begin_next(cycle_t first) {
  current_ = owner_.next();
  if (current_ == nullptr) return;
  next_ = 0;
  gives_up_ = giving_up::no;
  owner_.begin(*current_, first);
  if (gives_up_ != giving_up::no) next_ = current_->cta_count();
  dispatch(first);
  if (running_ == 0) clock_.wake(clocked_id_, first + 1);
}

void cta_dispatcher::dispatch(cycle_t first) {
  const kernel& kernel = *current_;
  while (next_ < kernel.cta_count()) {
    const std::size_t end = next_ + kernel.group_size(next_);
    if (!has_room(end - next_)) return;
    while (next_ < end) {
      const std::size_t sm = choose_sms(
          sms_.size(), together(kernel), kernel.demand(), [this](std::size_t i) -> auto& { return sms_[i].occupancy(); });
      for (std::size_t i = 0; i < together(kernel); ++i) launch_on(sm + i, kernel.cta(next_++), first);
    }
  }
}

void cta_dispatcher::launch_on(std::size_t sm, const trace::cta_entry& cta, cycle_t first) {
  if (!share_.contains(sm)) return sms_[sm].hold_place(current_->demand());
  ++running_;
  ++dispatched_;
  sms_[sm].launch(*current_, cta, first);
}

void cta_dispatcher::give_up() {
  if (current_ == nullptr || gives_up_ != giving_up::no) return;
  gives_up_ = giving_up::asked;
  clock_.wake(clocked_id_, clock_.edge_at(sc_core::SC_ZERO_TIME));
}

/// When every unit has evaluated, so that nothing is half done.
void cta_dispatcher::end_all() {
  gives_up_ = giving_up::done;
  next_ = current_->cta_count();
  for (streaming_multiprocessor& sm : sms_) sm.give_up();
}

/// Whether that many CTAs can be placed at once.
bool cta_dispatcher::has_room(std::size_t ctas) const {
  const cta_demand& demand = current_->demand();
  const std::size_t step = together(*current_);
  if (ctas == 1) return std::any_of(sms_.begin(), sms_.end(), [&](const auto& sm) { return sm.occupancy().fits(demand); });
  std::vector<sm_occupancy> trial;
  for (const streaming_multiprocessor& sm : sms_) trial.push_back(sm.occupancy());
  for (; ctas > 0; ctas -= step) {
    const std::size_t sm = choose_sms(
        trial.size(), step, demand, [&](std::size_t i) -> auto& { return trial[i]; });
    if (sm == none) return false;
    for (std::size_t i = 0; i < step; ++i) trial[sm + i].take(demand);
  }
  return true;
}

void cta_dispatcher::cta_finished(unsigned sm, std::uint32_t cta_slot, cycle_t cycle) {
  const cycle_t free = std::max(cycle, clock_.edge_at(sc_core::SC_ZERO_TIME));
  leaving_.push_back({free, sm, cta_slot});
  clock_.wake(clocked_id_, free);
}

void cta_dispatcher::release_finished(cycle_t cycle) {
  const auto left = std::partition(leaving_.begin(), leaving_.end(), [cycle](const finished_cta& cta) { return cta.cycle > cycle; });
  for (auto cta = left; cta != leaving_.end(); ++cta) {
    sms_[cta->sm].release(cta->cta_slot);
    sc_assert(running_ > 0);
    --running_;
  }
  leaving_.erase(left, leaving_.end());
  for (const finished_cta& cta : leaving_) clock_.wake(clocked_id_, cta.cycle);
}

void cta_dispatcher::evaluate(cycle_t cycle) {
  release_finished(cycle);
  if (current_ == nullptr) return begin_next(cycle + 1);
  if (gives_up_ == giving_up::asked) end_all();
  if (next_ < current_->cta_count()) {
    dispatch(cycle + 1);
  } else if (running_ == 0) {
    if (!owner_.end(*current_, cycle)) return clock_.wake(clocked_id_, cycle + 1);
    ++ended_;
    begin_next(cycle + 1);
    if (current_ == nullptr) fabric::local_time::notify(finished_event_, sc_core::SC_ZERO_TIME);
  }
}

void cta_dispatcher::collect(fabric::statistics_sink& sink) const {
  sink.count("ctas", dispatched_, "CTAs", "CTAs dispatched");
  sink.count("kernels", share_.begin == 0 ? ended_ : 0, "kernels", "Kernels finished");
}

}  // namespace tc::device
