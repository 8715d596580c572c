// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <systemc>

#include <tc/accounting/run_laws.hpp>
#include <tc/accounting/run_recorder.hpp>
#include <tc/accounting/run_result.hpp>
#include <tc/config/machine.hpp>
#include <tc/device/cta_dispatcher.hpp>
#include <tc/device/kernel_queue.hpp>
#include <tc/device/memory_probe.hpp>
#include <tc/device/monitoring_binder.hpp>
#include <tc/device/run_options.hpp>
#include <tc/device/sliced_simulation.hpp>
#include <tc/fabric/clock_domain.hpp>
#include <tc/fabric/recorder.hpp>
#include <tc/fabric/reports.hpp>
#include <tc/links/link_binder.hpp>
#include <tc/links/unit_makers.hpp>
#include <tc/recording/recording_binder.hpp>

namespace tc::memory {
class global_memory;
}

namespace tc::subcore {
class shared_operand_plans;
}

namespace tc::device {

/// Bytes of a memory that follow each other.
struct memory_region {
  std::uint64_t base = 0, bytes = 0;
};

class cluster_network;
class streaming_multiprocessor;

/// A GPU that runs traces, one kernel after the other: global memory and SMs. A cycle takes 1 ns of simulation time, or
/// run_options::period; machine.clock_mhz turns cycles into time for people.
///
/// There are two ways to use it. Of a run, all kernels are there from the beginning, and what a kernel does wrong ends simulation with an
/// error. In a platform, which runs SystemC, kernels come and go while simulation lasts, and what one does wrong ends that kernel alone.
class gpu final : public sc_core::sc_module, public fabric::fault_listener {
 public:
  SC_HAS_PROCESS(gpu);

  /// Of a run, with as many SMs as the CTAs can use. Throws run_error for traces that the machine cannot run. The traces must outlive the
  /// GPU.
  gpu(const sc_core::sc_module_name& name, const config::machine& machine, const std::vector<kernel_source>& kernels,
      const run_options& options = {});
  /// Part of a platform: takes kernels as long as simulation lasts, on all machine.sms SMs. Options that limit a run have no effect.
  gpu(const sc_core::sc_module_name& name, const config::machine& machine, const run_options& options = {});
  ~gpu() override;

  // In a platform.

  /// A kernel to run after those before it, during elaboration or simulation. Returns its number, which counts from 0. `images`
  /// tells what becomes of what the trace gives global memory; what it expects there is checked. Throws run_error for a trace that the
  /// machine cannot run, or that has no data when the machine computes values; then nothing is queued.
  std::uint32_t submit(std::shared_ptr<const trace::trace> trace, std::string name, image_use images = image_use::regions);
  /// Who is told of each kernel's end, in the edge in which it ends; may call submit() and abandon().
  void on_kernel_end(std::function<void(const accounting::ended_kernel&)> listener) { kernel_ended_ = std::move(listener); }
  /// Who is told when the last kernel has ended and nothing is in flight, in the same edge; may call submit() and reset().
  void on_idle(std::function<void()> listener) { idle_ = std::move(listener); }
  /// No kernel runs or waits.
  bool idle() const { return finished(); }
  /// Ends the running kernel and those that wait. From the next edge on no instruction issues; what is in flight ends, also what waits for
  /// something that will not come now, and memories that have not answered are waited for. Then the kernel is told as abandoned, and those
  /// that were queued when abandon() was called are too.
  void abandon();
  /// Everything is as after construction, also statistics, and the model's own global memory has no regions; time and the numbers of
  /// kernels go on. Only when idle.
  void reset();

  // Of a run.

  /// Runs SystemC until the last kernel has finished, until nothing moves any more in the machine, or until the cycle limit is reached,
  /// also beside modules that never rest, such as clocks; then stops it, so that everything checks that it is idle. Other GPUs of a run
  /// that are there run to their ends meanwhile. Once. `pauses` may look at the machine meanwhile, or is null.
  accounting::run_result run(run_pauses* pauses = nullptr);

  // Of a run whose SMs are simulated in several processes (tc::parallel).

  /// Starts only the CTAs of some SMs, compares nothing with what traces expect, and keeps which bytes of global memory they read and
  /// write. Before the run.
  void simulate_only(const sm_share& share);
  /// Bytes that the CTAs of the share have read, and written; in ascending order.
  std::vector<memory_region> bytes_read() const;
  std::vector<memory_region> bytes_written() const;
  /// Compares global memory with what the trace of a kernel expects after it, and adds that to the kernel's result.
  void compare(const kernel& kernel, accounting::kernel_result& result);
  /// The kernels that it has to run, or has run.
  const kernel_queue& kernels() const { return kernels_; }
  /// Writes content of global memory, in no time; false if it does not have all these bytes.
  bool poke_global(std::uint64_t address, std::uint8_t* source, std::size_t count, const memory_probe::undefined_flags& undefined = {}) {
    return probe_.write(address, source, count, undefined);
  }

  /// For those that run SystemC themselves: all kernels have ended.
  bool finished() const { return kernels_.next() == nullptr; }
  const sc_core::sc_event& finished_event() const { return dispatcher_.finished_event(); }
  /// What there is to tell up to now. In a platform: which kernels have not ended, and who waits for what.
  accounting::run_result result() const;

  const config::machine& machine() const { return machine_; }
  fabric::clock_domain& clock() { return clock_; }
  streaming_multiprocessor& sm(unsigned index);
  unsigned sms() const;
  /// Null unless run_options::monitors.
  const monitoring_binder* monitors() const { return monitors_.get(); }
  /// Where records of the run leave the machine; bind listeners to it before simulation starts. Null unless run_options::record.
  fabric::recorder* recorder() { return records_.get(); }
  /// False if the run is for timing alone, because it was asked for or because a trace has no data.
  bool computes_values() const { return options_.data; }
  /// Warps of a CTA, by its linear number; the most that a kernel whose trace holds such a CTA has. 0: none does.
  unsigned warps_of_cta(std::uint32_t cta) const;
  /// Parts of global memory that the traces describe, in order, without gaps in them. Those of a kernel are there when it starts.
  std::vector<memory_region> global_regions() const;
  /// Content of global memory, in no time; false if it does not have all these bytes.
  bool peek_global(std::uint64_t address, std::uint8_t* destination, std::size_t count,
                   memory_probe::undefined_flags* undefined = nullptr) {
    return probe_.read(address, destination, count, undefined);
  }

 private:
  gpu(const sc_core::sc_module_name& name, const config::machine& machine, kernel_queue kernels, const run_options& options,
      bool is_of_run);

  links::link_binder& choose_binder();
  unsigned sms_to_build() const;
  bool has_codes_of_other_machines() const;
  config::hazard_policy hazard_rule() const { return uses_interlock_ ? config::hazard_policy::interlock : config::hazard_policy::silicon; }
  streaming_multiprocessor* make_sm(const char* child, std::size_t index);
  links::made_memory make_global_memory();
  void bind_global_memory();
  void bind_clusters();
  cta_dispatcher::callbacks callbacks();
  void begin(const kernel& kernel, cycle_t first);
  bool end(const kernel& kernel, cycle_t cycle);
  const kernel* next_kernel();
  bool is_abandoned(const kernel& kernel) const { return kernel.number() < abandoned_before_; }
  void tell_end(std::optional<cycle_t> cycle);
  void keep_laws(cycle_t cycles, bool is_complete) const;
  void keep_laws_at_times(cycle_t cycle, bool is_whole);
  void report(const accounting::broken_law& broken) const;
  /// A unit that something is in flight in, or none.
  accounting::memory_traffic traffic_of_all() const;
  accounting::memory_traffic traffic_of_kernel() const;
  const sc_core::sc_object* busy_unit() const;
  bool is_alone() const;
  void end_of_run() { sliced_simulation::stop_if_over(); }
  void look_whether_stuck();
  bool take_fault(const char* type, const std::string& text) override;

  const config::machine machine_;
  const config::machine seen_by_sms_;  // all latencies in cycles of their clock
  const run_options options_;
  const bool is_of_run_;
  const links::unit_makers units_;
  const std::shared_ptr<subcore::shared_operand_plans> operand_plans_;  // of all SMs
  kernel_queue kernels_;
  const bool uses_interlock_;
  fabric::clock_domain clock_;
  std::unique_ptr<fabric::recorder> records_;
  links::link_binder direct_binder_;
  std::unique_ptr<monitoring_binder> monitors_;
  std::unique_ptr<recording::recording_binder> recording_;
  links::link_binder& binder_;
  accounting::run_recorder recorder_{clock_};

  memory::global_memory* own_global_memory_ = nullptr;  // null: it is a user's
  accounting::memory_traffic traffic_before_{};         // the running kernel began
  links::made_memory global_memory_;
  memory_probe probe_{"probe"};
  sc_core::sc_vector<streaming_multiprocessor> sm_;
  std::unique_ptr<cluster_network> cluster_network_;  // none: no tensor memory
  cta_dispatcher dispatcher_;
  sliced_simulation simulation_{clock_, [this] { return !is_of_run_ || finished() || is_stuck_; }};
  bool is_stuck_ = false;      // a run: nothing comes any more that warps wait for
  bool is_share_ = false;      // other processes simulate some of the SMs
  bool all_are_whole_ = true;  // in a platform: no kernel was given up
  cycle_t laws_kept_until_ = 0;

  /// What a kernel did wrong.
  struct fault {
    std::string type, text;
  };
  std::function<void(const accounting::ended_kernel&)> kernel_ended_;
  std::function<void()> idle_;
  std::optional<fault> fault_;          // of the running kernel
  std::uint32_t abandoned_before_ = 0;  // kernels with a number below it are abandoned
};

}  // namespace tc::device
