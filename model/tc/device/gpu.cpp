// SPDX-License-Identifier: Apache-2.0
#include "gpu.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <tc/accounting/accounting_reports.hpp>
#include <tc/accounting/run_laws.hpp>
#include <tc/accounting/statistic_sum.hpp>
#include <tc/config/memory_clock.hpp>
#include <tc/config/presets.hpp>
#include <tc/device/cluster_network.hpp>
#include <tc/device/streaming_multiprocessor.hpp>
#include <tc/device/trace_content.hpp>
#include <tc/fabric/reports.hpp>
#include <tc/memory/global_memory.hpp>

namespace tc::device {

namespace {

/// Machines that run traces of Hopper or later have mbarriers and bulk copies.
bool has_asynchronous_units(const config::machine& machine) {
  return std::any_of(machine.architectures.begin(), machine.architectures.end(), [](const std::string& name) {
    const std::optional<isa::architecture> arch = isa::find_architecture(name);
    return arch && isa::hopper_on.contains(*arch);
  });
}

/// Links to global memory of an SM: its sub-cores, and its bulk copies.
unsigned links_per_sm(const config::machine& machine) { return machine.sm.sub_cores + (has_asynchronous_units(machine) ? 1 : 0); }

/// A kernel whose trace holds no data takes them from all: they share a memory.
run_options with_data_of(const std::vector<kernel_source>& kernels, run_options options) {
  const auto has_data = [](const kernel_source& kernel) { return kernel.trace->header().has_data; };
  options.data = options.data && std::all_of(kernels.begin(), kernels.end(), has_data);
  return options;
}

/// Stops SystemC without its remark that the simulation was stopped.
void stop_simulation() {
  using handler = sc_core::sc_report_handler;
  const sc_core::sc_actions before = handler::set_actions("/OSCI/SystemC", sc_core::SC_INFO, sc_core::SC_DO_NOTHING);
  sc_core::sc_stop();
  handler::set_actions("/OSCI/SystemC", sc_core::SC_INFO, before);
}

/// More SMs than CTAs of the largest kernel would never see one. (A kernel with pairs has an even number of them.)
unsigned sms_needed(const kernel_queue& kernels, const config::machine& machine) {
  std::size_t sms = 1;
  for (const auto& each : kernels.entries())
    sms = std::max(sms, std::min<std::size_t>(each.of->usable_sms(machine.sms), each.of->cta_count()));
  return static_cast<unsigned>(sms);
}

fabric::clock_domain make_clock(const run_options& options) {
  if (options.period) return fabric::clock_domain("clock", *options.period);
  return fabric::clock_domain("clock", 1, sc_core::SC_NS);
}

}  // namespace

gpu::gpu(const sc_core::sc_module_name& module_name, const config::machine& machine, const std::vector<kernel_source>& kernels,
         const run_options& options)
    : gpu(module_name, machine, kernel_queue(make_kernels(kernels, machine)), with_data_of(kernels, options), true) {}

gpu::gpu(const sc_core::sc_module_name& module_name, const config::machine& machine, const run_options& options)
    : gpu(module_name, machine, kernel_queue(), options, false) {}

gpu::gpu(const sc_core::sc_module_name& module_name, const config::machine& machine, kernel_queue kernels, const run_options& options,
         bool is_of_run)
    : sc_module(module_name),
      machine_(machine),
      seen_by_sms_(config::in_sm_cycles(machine)),
      options_(options),
      is_of_run_(is_of_run),
      units_(options.units.choose(machine_.units)),
      operand_plans_(std::make_shared<subcore::shared_operand_plans>()),
      kernels_(std::move(kernels)),
      uses_interlock_(uses_interlock(machine_.sm.sub_core.issue.hazards, options.timing_of_preset && !has_codes_of_other_machines())),
      clock_(make_clock(options)),
      records_(options.record ? std::make_unique<fabric::recorder>("recorder", clock_) : nullptr),
      binder_(choose_binder()),
      global_memory_(make_global_memory()),
      sm_("sm", sms_to_build(), [this](const char* child, std::size_t index) { return make_sm(child, index); }),
      dispatcher_("dispatcher", sm_, callbacks(), clock_) {
  bind_global_memory();
  bind_clusters();
  if (!is_of_run) return;
  SC_METHOD(end_of_run);
  sensitive << dispatcher_.finished_event();
  dont_initialize();
  clock_.on_rest([this] { look_whether_stuck(); });
}

gpu::~gpu() = default;

unsigned gpu::sms_to_build() const { return is_of_run_ ? sms_needed(kernels_, machine_) : machine_.sms; }

/// Control codes of an architecture were compiled for its own latencies. In a platform kernels come later: of any that the machine runs.
bool gpu::has_codes_of_other_machines() const {
  if (!options_.timing_of_preset) return false;
  const std::vector<std::string> own = config::architectures_of_timing(machine_);
  const auto is_of_others = [&own](std::string_view name) { return std::find(own.begin(), own.end(), name) == own.end(); };
  if (!is_of_run_) return std::any_of(machine_.architectures.begin(), machine_.architectures.end(), is_of_others);
  return std::any_of(kernels_.entries().begin(), kernels_.entries().end(),
                     [&](const auto& each) { return is_of_others(isa::name(each.of->header().arch)); });
}

streaming_multiprocessor& gpu::sm(unsigned index) { return sm_[index]; }

unsigned gpu::sms() const { return static_cast<unsigned>(sm_.size()); }

unsigned gpu::warps_of_cta(std::uint32_t cta) const {
  unsigned warps = 0;
  for (const auto& each : kernels_.entries())
    for (std::size_t i = 0; i < each.of->cta_count(); ++i)
      if (each.of->linear_number(each.of->cta(i)) == cta) warps = std::max(warps, each.of->demand().warps);
  return warps;
}

std::vector<memory_region> gpu::global_regions() const {
  std::map<std::uint64_t, std::uint64_t> images;  // first byte to number of bytes
  for (const auto& each : kernels_.entries())
    for (const trace::memory_image& image : each.of->header().memory)
      images[image.base] = std::max(images[image.base], image.content.bytes());
  std::vector<memory_region> regions;
  for (const auto& [base, bytes] : images) {
    if (regions.empty() || regions.back().base + regions.back().bytes < base)
      regions.push_back({base, bytes});
    else
      regions.back().bytes = std::max(regions.back().bytes, base + bytes - regions.back().base);
  }
  return regions;
}

links::made_memory gpu::make_global_memory() {
  const char* const child = "global_memory";
  const links::global_memory_site site{{{}, options_.data, clock_}, seen_by_sms_.global_memory, sms_to_build(), links_per_sm(machine_)};
  return links::make_unit(units_.global_memory, name(), child, site, [&] {
    auto own = std::make_unique<memory::global_memory>(
        child, memory::global_memory::params{seen_by_sms_.global_memory, site.links_per_sm, options_.data, machine_.jitter}, clock_);
    own_global_memory_ = own.get();
    std::vector<links::link_target<links::link_binder::memory_protocol>*> links(site.sockets(), &own->port);
    return links::made_memory{std::move(own), std::move(links)};
  });
}

/// In the order of global_memory_site. The probe's is the last link.
void gpu::bind_global_memory() {
  auto next = global_memory_.sockets.begin();
  for (streaming_multiprocessor& sm : sm_) {
    for (unsigned s = 0; s < sm.sub_cores(); ++s) binder_.bind("global_memory", sm.sub_core(s).global_memory(), **next++);
    if (sm.global_memory() != nullptr) binder_.bind("global_memory", *sm.global_memory(), **next++);
  }
  binder_.bind("global_memory", probe_, **next);
}

/// What CTAs of a cluster do together, with tensor memory.
void gpu::bind_clusters() {
  for (std::size_t i = 0; i < sm_.size(); ++i)
    if (const std::size_t other = i ^ 1u; other < sm_.size()) sm_[i].bind_pair(sm_[other]);
  if (!has_asynchronous_units(machine_) || !machine_.sm.tensor_memory.is_there()) return;
  cluster_network_ = std::make_unique<cluster_network>("cluster_network", dispatcher_, sm_, clock_, binder_);
  for (streaming_multiprocessor& sm : sm_) sm.bind_cluster(*cluster_network_);
}

links::link_binder& gpu::choose_binder() {
  links::link_binder* binder = options_.binder != nullptr ? options_.binder : &direct_binder_;
  if (options_.monitors) {
    monitors_ = std::make_unique<monitoring_binder>(*binder);
    binder = monitors_.get();
  }
  if (records_ != nullptr) {
    recording_ = std::make_unique<recording::recording_binder>(*binder, *records_, clock_);
    binder = recording_.get();
  }
  return *binder;
}

streaming_multiprocessor* gpu::make_sm(const char* child, std::size_t index) {
  streaming_multiprocessor::params sm;
  sm.machine = seen_by_sms_.sm;
  sm.global_memory = seen_by_sms_.global_memory;
  sm.jitter = machine_.jitter;
  sm.number = static_cast<unsigned>(index);
  sm.asynchronous = has_asynchronous_units(machine_);
  sm.interlock = uses_interlock_;
  sm.data = options_.data;
  sm.units = units_;
  sm.plans = operand_plans_;
  return new streaming_multiprocessor(child, sm, clock_, recorder_, binder_);
}

cta_dispatcher::callbacks gpu::callbacks() {
  return {[this] { return next_kernel(); }, [this](const kernel& kernel, cycle_t first) { begin(kernel, first); },
          [this](const kernel& kernel, cycle_t cycle) { return end(kernel, cycle); }};
}

void gpu::begin(const kernel& kernel, cycle_t first) {
  kernels_.of(kernel).result.start = first;
  traffic_before_ = traffic_of_all();
  for (streaming_multiprocessor& sm : sm_) sm.begin_kernel();
  if (own_global_memory_ != nullptr) own_global_memory_->begin_kernel();
  if (!options_.data || kernel.images() == image_use::none) return;
  for (const trace::memory_image& image : kernel.header().memory) {
    const trace::memory_content& content = image.content;
    const auto read = [this, &content, owner = kernel.trace_owner()](std::uint64_t offset, std::uint8_t* destination, std::size_t count) {
      copy_content(*this, content, offset, destination, count);
    };
    if (!probe_.begin_region(image.base, content.bytes(), read))
      fabric::fault(fabric::report::memory_region, *this, clock_.cycle(),
                    fmt::format("global memory does not take {} bytes at {:#x} of {}", content.bytes(), image.base, kernel.file()));
  }
}

accounting::memory_traffic gpu::traffic_of_all() const {
  if (own_global_memory_ == nullptr) return {};
  const memory::memory_hierarchy::shared_traffic& all = own_global_memory_->traffic();
  return {all.read_from_l2, all.read_from_dram, all.written_anew};
}

/// Of the kernel that runs.
accounting::memory_traffic gpu::traffic_of_kernel() const {
  const accounting::memory_traffic all = traffic_of_all();
  return {all.read_from_l2 - traffic_before_.read_from_l2, all.read_from_dram - traffic_before_.read_from_dram,
          all.written_anew - traffic_before_.written_anew};
}

const sc_core::sc_object* gpu::busy_unit() const {
  for (const streaming_multiprocessor& sm : sm_)
    if (const sc_core::sc_object* const unit = sm.busy_unit()) return unit;
  return cluster_network_ == nullptr || cluster_network_->idle() ? nullptr : cluster_network_.get();
}

bool gpu::end(const kernel& kernel, cycle_t cycle) {
  if (const sc_core::sc_object* const unit = busy_unit()) {
    if (!is_of_run_) return false;
    fabric::error(fabric::report::kernel_end, name(), cycle,
                  fmt::format("{} has ended, but something that {} asked for or was asked for has not come", kernel.file(), unit->name()));
  }
  accounting::kernel_result& result = kernels_.of(kernel).result;
  result.end = cycle;
  result.traffic = traffic_of_kernel();
  traffic_before_ = traffic_of_all();
  result.finished = !fault_ && !is_abandoned(kernel);
  if (result.finished && !is_share_) compare(kernel, result);
  if (is_of_run_) {
    kernels_.pass();
  } else {
    keep_laws_at_times(cycle, result.finished);
    tell_end(cycle);
  }
  return true;
}

void gpu::simulate_only(const sm_share& share) {
  is_share_ = true;
  dispatcher_.take_share(share);
  if (own_global_memory_ != nullptr) own_global_memory_->keep_touched_bytes();
}

namespace {

std::vector<memory_region> regions_of(const memory::touched_bytes& bytes) {
  std::vector<memory_region> regions;
  for (const memory::touched_bytes::range& range : bytes.ranges()) regions.push_back({range.address, range.bytes});
  return regions;
}

}  // namespace

std::vector<memory_region> gpu::bytes_read() const {
  const auto* const touched = own_global_memory_ == nullptr ? nullptr : own_global_memory_->touched_since_begin();
  return touched == nullptr ? std::vector<memory_region>{} : regions_of(touched->read);
}

std::vector<memory_region> gpu::bytes_written() const {
  const auto* const touched = own_global_memory_ == nullptr ? nullptr : own_global_memory_->touched_since_begin();
  return touched == nullptr ? std::vector<memory_region>{} : regions_of(touched->written);
}

void gpu::compare(const kernel& kernel, accounting::kernel_result& result) {
  if (!options_.data) return;
  for (const trace::expected_image& expected : kernel.header().expectations)
    result.expectations.push_back(check_expectation(expected, probe_));
}

/// Whether no module but the machine's own is called while it runs.
bool gpu::is_alone() const {
  const bool has_units = units_.dot_products || units_.register_bank || units_.tensor_memory || units_.global_memory;
  return options_.is_alone && !has_units && &binder_ == &direct_binder_;
}

/// Where other modules go on for ever, SystemC does not tell that nothing moves any more here.
void gpu::look_whether_stuck() {
  if (finished() || !std::all_of(sm_.begin(), sm_.end(), [](const auto& sm) { return sm.only_warps_wait(); })) return;
  if (cluster_network_ != nullptr && !cluster_network_->idle()) return;
  is_stuck_ = true;
  sliced_simulation::stop_if_over();
}

accounting::run_result gpu::run(run_pauses* pauses) {
  if (is_alone()) simulation_.allow_running_ahead();
  simulation_.run(options_.max_cycles, pauses);
  accounting::run_result all = result();
  if (!finished() && pauses != nullptr && pauses->stops()) all.status = accounting::run_status::interrupted;
  const bool is_cut = all.status == accounting::run_status::cycle_limit || all.status == accounting::run_status::interrupted;
  if (!is_cut) stop_simulation();
  keep_laws(all.cycles, finished());
  for (const accounting::broken_law& broken : accounting::broken_laws_of_warps(all)) report(broken);
  return all;
}

/// Whatever the run was, some things are true of it, or the model has a defect.
void gpu::keep_laws(cycle_t cycles, bool is_complete) const {
  for (const accounting::broken_law& broken : accounting::broken_laws({machine_, name(), cycles, is_complete})) report(broken);
}

void gpu::report(const accounting::broken_law& broken) const {
  fabric::error(accounting::report::broken_law, name(), clock_.cycle(), broken.text());
}

accounting::run_result gpu::result() const {
  accounting::run_result all;
  all.hazard_rule = hazard_rule();
  if (!finished()) {
    all.status = !is_stuck_ && sc_core::sc_pending_activity() ? accounting::run_status::cycle_limit : accounting::run_status::stuck;
    for (const streaming_multiprocessor& sm : sm_) sm.describe(all.waiting);
  }
  for (const auto& each : kernels_.entries()) all.kernels.push_back(each.result);
  all.cycles = simulation_.cycle();
  if (!is_of_run_) return all;
  recorder_.report(all);
  all.instructions = accounting::statistic_sum("scheduler", "issued").sum();
  std::uint64_t of_running_kernel = all.instructions;
  for (const accounting::warp_result& warp : all.warps) {
    all.kernels[warp.kernel].instructions += warp.instructions;
    of_running_kernel -= warp.instructions;
  }
  const auto running =
      std::find_if(all.kernels.begin(), all.kernels.end(), [](const accounting::kernel_result& kernel) { return !kernel.finished; });
  if (running != all.kernels.end()) {
    running->instructions += of_running_kernel;
    running->end = std::max(all.cycles, running->start);
    running->traffic = traffic_of_kernel();
  } else if (!all.kernels.empty()) {
    all.cycles = all.kernels.back().end;
  }
  return all;
}

}  // namespace tc::device
