// SPDX-License-Identifier: Apache-2.0
#include "kernel_queue.hpp"

#include <utility>

namespace tc::device {

namespace {

accounting::kernel_result describe(const kernel& kernel) {
  accounting::kernel_result result;
  const trace::kernel_header& header = kernel.header();
  result.file = kernel.file();
  result.kernel = header.kernel;
  result.arch = header.arch;
  result.grid = header.grid;
  result.block = header.block;
  result.cluster = header.cluster;
  result.ctas = kernel.cta_count();
  for (const trace::cta_entry& cta : kernel.trace().ctas()) result.warps += cta.warp_count;
  return result;
}

}  // namespace

kernel_queue::kernel_queue(kernel_list kernels) {
  for (auto& kernel : kernels) {
    accounting::kernel_result result = describe(*kernel);
    entries_.push_back({std::move(kernel), std::move(result)});
  }
}

std::uint32_t kernel_queue::submit(const kernel_source& source, const config::machine& machine) {
  auto next = std::make_unique<kernel>(end(), source, machine);
  if (source.images == image_use::regions) {
    regions_.check(*next);
    memory_regions with_own = regions_;
    with_own.add(*next);
    with_own.check_expectations(*next);
    regions_ = std::move(with_own);
  }
  accounting::kernel_result result = describe(*next);
  entries_.push_back({std::move(next), std::move(result)});
  return end() - 1;
}

kernel_queue::entry kernel_queue::take() {
  entry taken = std::move(entries_.front());
  entries_.pop_front();
  ++first_;
  ++ended_;
  return taken;
}

}  // namespace tc::device
