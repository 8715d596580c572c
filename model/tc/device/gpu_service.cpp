// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include <fmt/format.h>

#include <tc/device/cluster_network.hpp>
#include <tc/device/gpu.hpp>
#include <tc/device/run_error.hpp>
#include <tc/device/streaming_multiprocessor.hpp>
#include <tc/fabric/resettable.hpp>
#include <tc/memory/global_memory.hpp>

// The GPU of a platform: kernels that come while simulation lasts.

namespace tc::device {

std::uint32_t gpu::submit(std::shared_ptr<const trace::trace> trace, std::string name, image_use images) {
  sc_assert(!is_of_run_);
  if (options_.data && !trace->header().has_data)
    throw run_error(fmt::format("{}: the trace holds no data, and the machine computes values", name));
  const trace::trace* const played = trace.get();
  const std::uint32_t number = kernels_.submit({std::move(name), played, std::move(trace), images}, machine_);
  dispatcher_.look_for_kernel();
  return number;
}

void gpu::abandon() {
  sc_assert(!is_of_run_);
  if (finished()) return;
  abandoned_before_ = kernels_.end();
  dispatcher_.give_up();
}

/// Those that were abandoned while they waited never begin.
const kernel* gpu::next_kernel() {
  while (!is_of_run_ && !finished() && is_abandoned(*kernels_.next())) tell_end(std::nullopt);
  return kernels_.next();
}

/// The first kernel has ended in a cycle, or never begun: it leaves.
void gpu::tell_end(std::optional<cycle_t> cycle) {
  kernel_queue::entry entry = kernels_.take();
  accounting::ended_kernel ended;
  ended.number = entry.of->number();
  if (const std::optional<fault> wrong = std::exchange(fault_, {})) {
    ended.outcome = accounting::kernel_outcome::fault;
    ended.fault_type = wrong->type;
    ended.fault_text = wrong->text;
    entry.result.finished = false;
  } else if (is_abandoned(*entry.of)) {
    ended.outcome = accounting::kernel_outcome::abandoned;
  }
  entry.result.addresses = recorder_.addresses();
  recorder_.take(ended.result);
  ended.result.hazard_rule = hazard_rule();
  for (const accounting::warp_result& warp : ended.result.warps) entry.result.instructions += warp.instructions;
  ended.result.instructions = entry.result.instructions;
  ended.result.cycles = cycle ? entry.result.cycles() : 0;
  ended.result.kernels.push_back(std::move(entry.result));
  if (kernel_ended_) kernel_ended_(ended);
  if (finished() && idle_) idle_();
}

/// A look at all statistics takes longer than a short kernel: there is one whenever the platform has become half as old again. Of a kernel
/// that was given up, not everything that began has ended.
void gpu::keep_laws_at_times(cycle_t cycle, bool is_whole) {
  all_are_whole_ = all_are_whole_ && is_whole;
  if (!all_are_whole_ || cycle < laws_kept_until_ + laws_kept_until_ / 2) return;
  laws_kept_until_ = cycle;
  keep_laws(cycle, true);
}

/// After a fault, or when it is abandoned, the running kernel is given up: what else goes wrong does not count.
bool gpu::take_fault(const char* type, const std::string& text) {
  const kernel* const running = dispatcher_.running();
  if (is_of_run_ || running == nullptr) return false;
  if (!fault_ && !is_abandoned(*running)) fault_ = fault{type, text};
  dispatcher_.give_up();
  return true;
}

void gpu::reset() {
  sc_assert(!is_of_run_ && idle());
  kernels_.forget_regions();
  all_are_whole_ = true;
  recorder_.clear();
  fabric::reset_all(*this);
  if (own_global_memory_ != nullptr) own_global_memory_->clear();
}

}  // namespace tc::device
