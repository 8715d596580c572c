// SPDX-License-Identifier: Apache-2.0
#include "run_kernels.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include <tc/launches/launch_reader.hpp>

#include "launch_files.hpp"
#include "named_trace.hpp"
#include "wording.hpp"

namespace tcsim {

namespace {

namespace execution = tc::execution;

std::string comparison_text(const execution::memory_comparison& compared) {
  if (compared.recorded == 0) return "memory after the launch was not recorded";
  if (compared.is_exact()) return fmt::format("exact: {} bytes are as recorded", compared.bytes);
  if (compared.differing == 0)
    return fmt::format("within the tolerance: {} differ by at most {:.3g} units in the last place", counted(compared.within, "element"),
                       compared.largest_distance);
  const execution::memory_difference& first = compared.differences.front();
  return fmt::format("differs: {} of {} bytes are not as recorded; at {:#x} there is {:0{}x}, expected {:0{}x}",
                     counted(compared.differing, "element"), compared.bytes, first.address, first.got, 2 * first.bytes, first.expected,
                     2 * first.bytes);
}

/// Bytes that the machine's memory and the execution's have both, and that are not the same.
struct memory_agreement {
  std::uint64_t compared = 0, undefined = 0, differing = 0, first = 0;

  void compare(tc::device::gpu& gpu, const execution::global_memory::range& range) {
    constexpr std::size_t piece = 65536;
    std::vector<std::uint8_t> bytes(piece);
    tc::device::memory_probe::undefined_flags flags;
    for (std::uint64_t begin = 0; begin < range.bytes; begin += piece) {
      const auto count = static_cast<std::size_t>(std::min<std::uint64_t>(piece, range.bytes - begin));
      flags.clear();
      if (!gpu.peek_global(range.base + begin, bytes.data(), count, &flags)) continue;
      for (std::size_t i = 0; i < count; ++i) {
        ++compared;
        if (i < flags.size() && flags[i] != 0)
          ++undefined;
        else if (bytes[i] != range.content.data()[begin + i] && differing++ == 0)
          first = range.base + begin + i;
      }
    }
  }

  std::string text() const {
    if (differing == 0 && undefined == 0) return fmt::format("the machine's memory agrees in {} bytes", compared);
    if (differing == 0)
      return fmt::format("the machine's memory agrees in {} bytes; {} are undefined there", compared - undefined, undefined);
    return fmt::format("the machine's memory differs in {} of {} bytes, first at {:#x}; {} are undefined there", differing, compared, first,
                       undefined);
  }
};

}  // namespace

run_kernels::run_kernels(const std::vector<std::string>& files, const tc::config::machine& machine, bool with_values) {
  for (const std::string& file : files) {
    opened kernel{file, {}, nullptr};
    if (file != "-" && tc::launches::names_launch(file))
      kernel.launch = open_launch(file, machine, with_values);
    else
      kernel.trace = open_named_trace(file);
    kernels_.push_back(std::move(kernel));
  }
}

std::vector<tc::device::kernel_source> run_kernels::sources() const {
  std::vector<tc::device::kernel_source> sources;
  for (const opened& kernel : kernels_)
    sources.push_back({kernel.file, kernel.launch != nullptr ? &kernel.launch->trace() : &*kernel.trace});
  return sources;
}

bool run_kernels::have_launches() const {
  return std::any_of(kernels_.begin(), kernels_.end(), [](const opened& kernel) { return kernel.launch != nullptr; });
}

std::string run_kernels::verdict_on_executions(tc::device::gpu& gpu, exit_status& status) const {
  std::string text;
  for (const opened& kernel : kernels_) {
    if (kernel.launch == nullptr) continue;
    const auto compared = kernel.launch->compare_last_run();
    if (!compared) continue;
    text += fmt::format("{}: execution: {}", kernel.file, comparison_text(*compared));
    bool is_wrong = compared->differing != 0;
    if (gpu.computes_values()) {
      memory_agreement agreement;
      for (const auto& range : kernel.launch->last_run()->memory.ranges()) agreement.compare(gpu, range);
      text += "; " + agreement.text();
      is_wrong |= agreement.differing != 0;
    }
    text += '\n';
    if (is_wrong && status == exit_status::done) status = exit_status::check_failed;
  }
  return text;
}

}  // namespace tcsim
