// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include <systemc>

#include <tc/device/kernel.hpp>
#include <tc/fabric/clock_domain.hpp>
#include <tc/fabric/clocked.hpp>
#include <tc/fabric/resettable.hpp>
#include <tc/fabric/statistics.hpp>

namespace tc::device {

using fabric::cycle_t;

/// Who gives CTAs to an SM.
class cta_source : public virtual sc_core::sc_interface {
 public:
  /// The last warp of a CTA has drained; from `cycle` on its place can be released.
  virtual void cta_finished(unsigned sm, std::uint32_t cta_slot, cycle_t cycle) = 0;
};

/// SMs [begin, end) of a machine, which one of several processes simulates.
struct sm_share {
  std::size_t begin = 0, end = std::numeric_limits<std::size_t>::max();

  bool contains(std::size_t sm) const { return begin <= sm && sm < end; }
};

class streaming_multiprocessor;

/// Gives the CTAs of one kernel after the other to the SMs: in order, each to the SM that has room and the fewest CTAs, the CTAs of a
/// cluster together or not at all, the two CTAs of a pair to the SMs of a TPC, CTA 0 of the pair to the even one. A kernel starts when
/// nothing of the one before is in flight.
///
/// Places that get free in a cycle are given away at its end, when every unit has evaluated; the warps may issue from the next cycle on.
class cta_dispatcher final : public sc_core::sc_module,
                             public cta_source,
                             public fabric::clocked,
                             public fabric::statistics_source,
                             public fabric::resettable {
 public:
  struct callbacks {
    /// The kernel to run next; null: none as long as nobody calls look_for_kernel(). It stays as it is until it has ended.
    std::function<const kernel*()> next;
    /// A kernel is about to start: its memory can be prepared.
    std::function<void(const kernel& kernel, cycle_t first)> begin;
    /// All warps of a kernel have ended by `end`, the running cycle. False: something is still in flight that no warp waits for; asked
    /// again in the next cycle.
    std::function<bool(const kernel& kernel, cycle_t end)> end;
  };

  /// The SMs must outlive the dispatcher.
  cta_dispatcher(const sc_core::sc_module_name& name, sc_core::sc_vector<streaming_multiprocessor>& sms, callbacks owner,
                 fabric::clock_domain& clock);
  ~cta_dispatcher() override;

  /// CTAs of other SMs than these are given their places, but not started. Before simulation.
  void take_share(const sm_share& share) { share_ = share; }
  /// There may be a kernel to run. From outside of an edge, or from the callback `end`, which need not call it.
  void look_for_kernel();
  /// No CTA of the running kernel starts any more, and its warps end, from the next edge on.
  void give_up();
  /// The kernel that runs; null: none does.
  const kernel* running() const { return current_; }
  /// Notified when a kernel has ended and there is none to run next.
  const sc_core::sc_event& finished_event() const { return finished_event_; }

  void cta_finished(unsigned sm, std::uint32_t cta_slot, cycle_t cycle) override;
  void evaluate(cycle_t cycle) override;
  /// As after construction. No kernel runs.
  void reset() override { dispatched_ = ended_ = 0; }
  void collect(fabric::statistics_sink& sink) const override;

 private:
  /// A finished CTA whose place is not given free yet.
  struct finished_cta {
    cycle_t cycle;
    unsigned sm;
    std::uint32_t cta_slot;
  };

  void start_of_simulation() override;
  void begin_next(cycle_t first);
  void dispatch(cycle_t first);
  void launch_on(std::size_t sm, const trace::cta_entry& cta, cycle_t first);
  bool has_room(std::size_t ctas) const;
  void end_all();
  void release_finished(cycle_t cycle);

  sc_core::sc_vector<streaming_multiprocessor>& sms_;
  callbacks owner_;
  fabric::clock_domain& clock_;
  const std::size_t clocked_id_;
  sc_core::sc_event finished_event_{"finished"};
  bool started_ = false;             // simulation
  const kernel* current_ = nullptr;  // null: none runs
  std::size_t next_ = 0;             // CTA of it
  sm_share share_{};
  std::uint64_t running_ = 0;
  enum class giving_up : std::uint8_t { no, asked, done } gives_up_ = giving_up::no;
  std::vector<finished_cta> leaving_;
  std::uint64_t dispatched_ = 0, ended_ = 0;
};

}  // namespace tc::device
