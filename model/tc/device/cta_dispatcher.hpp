#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include <systemc>

#include <tc/device/cta_source.hpp>
#include <tc/device/kernel.hpp>
#include <tc/fabric/clock_domain.hpp>
#include <tc/fabric/statistics.hpp>

namespace tc::device {

class streaming_multiprocessor;

/// Gives the CTAs of one kernel after the other to the SMs: in order, each to the SM that has room and the fewest CTAs, the CTAs of a
/// cluster together or not at all, the two CTAs of a pair to the SMs of a TPC, CTA 0 of the pair to the even one. A kernel starts when
/// nothing of the one before is in flight.
///
/// Places that get free in a cycle are given away at its end, when every unit has evaluated; the warps may issue from the next cycle on.
class cta_dispatcher final : public sc_core::sc_module, public cta_source, public fabric::clocked, public fabric::statistics_source {
 public:
  struct callbacks {
    /// A kernel is about to start: its memory can be prepared.
    std::function<void(const kernel& kernel, cycle_t first)> begin;
    /// Nothing of a kernel is in flight from `end` on, the running cycle.
    std::function<void(const kernel& kernel, cycle_t end)> end;
  };

  /// The kernels and SMs must outlive the dispatcher.
  cta_dispatcher(const sc_core::sc_module_name& name, const kernel_list& kernels, sc_core::sc_vector<streaming_multiprocessor>& sms,
                 callbacks owner, fabric::clock_domain& clock);
  ~cta_dispatcher() override;

  bool finished() const { return current_ == kernels_.size(); }
  const sc_core::sc_event& finished_event() const { return finished_event_; }

  void cta_finished(unsigned sm, std::uint32_t cta_slot, cycle_t cycle) override;
  void evaluate(cycle_t) override {}
  void commit(cycle_t cycle) override;
  void collect(fabric::statistics_sink& sink) const override;

 private:
  /// A finished CTA whose place is not given free yet.
  struct finished_cta {
    cycle_t cycle;
    unsigned sm;
    std::uint32_t cta_slot;
  };

  void start_of_simulation() override;
  void begin_kernel(cycle_t first);
  void dispatch(cycle_t first);
  bool has_room(std::size_t ctas) const;
  void release_finished(cycle_t cycle);

  const kernel_list& kernels_;
  sc_core::sc_vector<streaming_multiprocessor>& sms_;
  callbacks owner_;
  fabric::clock_domain& clock_;
  const std::size_t clocked_id_;
  sc_core::sc_event finished_event_{"finished"};
  std::size_t current_ = 0;  // kernel
  std::size_t next_ = 0;     // CTA of it
  std::uint64_t running_ = 0;
  std::vector<finished_cta> leaving_;
  std::uint64_t dispatched_ = 0;
};

}  // namespace tc::device
