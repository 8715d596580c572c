#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include <systemc>

#include <tc/config/machine.hpp>
#include <tc/device/cta_dispatcher.hpp>
#include <tc/device/kernel.hpp>
#include <tc/device/memory_probe.hpp>
#include <tc/device/monitoring_binder.hpp>
#include <tc/device/run_options.hpp>
#include <tc/device/run_pauses.hpp>
#include <tc/device/run_recorder.hpp>
#include <tc/device/run_result.hpp>
#include <tc/device/sliced_simulation.hpp>
#include <tc/fabric/clock_domain.hpp>
#include <tc/fabric/recorder.hpp>
#include <tc/recording/recording_binder.hpp>
#include <tc/subcore/links/link_binder.hpp>
#include <tc/subcore/links/unit_makers.hpp>

namespace tc::memory {
class global_memory;
}

namespace tc::device {

/// Bytes of a memory that follow each other.
struct memory_region {
  std::uint64_t base = 0, bytes = 0;
};

class cluster_network;
class streaming_multiprocessor;

/// A GPU that runs traces, one kernel after the other: global memory and as many SMs as the CTAs can use. A cycle takes 1 ns of simulation
/// time; machine.clock_mhz turns cycles into time for people.
class gpu final : public sc_core::sc_module {
 public:
  /// Throws run_error for traces that the machine cannot run. The traces must outlive the GPU.
  gpu(const sc_core::sc_module_name& name, const config::machine& machine, const std::vector<kernel_source>& kernels,
      const run_options& options = {});
  ~gpu() override;

  /// Runs SystemC until the last kernel has finished, or until nothing moves any more or the cycle limit is reached; then stops it, so that
  /// everything checks that it is idle. Once. `pauses` may look at the machine meanwhile, or is null.
  run_result run(run_pauses* pauses = nullptr);

  /// For a GPU in a platform that runs SystemC itself.
  bool finished() const { return dispatcher_.finished(); }
  const sc_core::sc_event& finished_event() const { return dispatcher_.finished_event(); }
  /// What there is to tell up to now.
  run_result result() const;

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
  bool peek_global(std::uint64_t address, std::uint8_t* destination, std::size_t count) { return probe_.read(address, destination, count); }

 private:
  subcore::link_binder& choose_binder();
  unsigned sms_needed() const;
  streaming_multiprocessor* make_sm(const char* child, std::size_t index);
  subcore::made_memory make_global_memory();
  void bind_global_memory();
  void bind_clusters();
  cta_dispatcher::callbacks callbacks();
  void begin(const kernel& kernel, cycle_t first);
  void end(const kernel& kernel, cycle_t cycle);

  const config::machine machine_;
  const run_options options_;
  const subcore::unit_makers units_;
  const kernel_list kernels_;
  fabric::clock_domain clock_;
  std::unique_ptr<fabric::recorder> records_;
  subcore::link_binder direct_binder_;
  std::unique_ptr<monitoring_binder> monitors_;
  std::unique_ptr<recording::recording_binder> recording_;
  subcore::link_binder& binder_;
  run_recorder recorder_;
  std::vector<kernel_result> results_;  // by kernel

  memory::global_memory* own_global_memory_ = nullptr;  // null: it is a user's
  subcore::made_memory global_memory_;
  memory_probe probe_{"probe"};
  sc_core::sc_vector<streaming_multiprocessor> sm_;
  std::unique_ptr<cluster_network> cluster_network_;  // none: no tensor memory
  cta_dispatcher dispatcher_;
  sliced_simulation simulation_{clock_};
};

}  // namespace tc::device
