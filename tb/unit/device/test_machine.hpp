// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <tc/accounting/run_result.hpp>
#include <tc/config/machine.hpp>
#include <tc/device/gpu.hpp>
#include <tc/trace/trace.hpp>

namespace tc::device::test {

/// The preset of a name, e.g. "turing", with assignments as after `--set`.
config::machine preset(const std::string& name, const std::vector<std::string>& assignments = {});
/// The preset that runs an architecture.
config::machine preset_of(isa::architecture arch, const std::vector<std::string>& assignments = {});

/// A GPU with the traces it runs. One for each process.
class test_machine {
 public:
  /// Traces from texts, which messages call "kernel 0", "kernel 1", ...
  test_machine(const config::machine& machine, const std::vector<std::string>& texts, const run_options& options = {});
  /// Of one trace file.
  test_machine(const std::filesystem::path& path, const config::machine& machine, const run_options& options = {});

  accounting::run_result run() { return gpu_->run(); }
  gpu& device() { return *gpu_; }

 private:
  void build(const config::machine& machine, const run_options& options);

  std::vector<std::string> names_;
  std::vector<trace::trace> traces_;
  std::unique_ptr<gpu> gpu_;
};

/// The header of a kernel of `ctas` CTAs of `warps` warps; more header lines may follow.
std::string kernel_header(unsigned ctas, unsigned warps, const std::string& more = "", const std::string& arch = "sm_75");
/// The line that begins a CTA of a grid in one dimension, and one that begins a warp.
std::string cta_line(unsigned cta);
std::string warp_line(unsigned warp);
/// A kernel of CTAs of one warp with an image of shared memory. Each copies it to global memory, where it is expected, and then overwrites
/// it: a CTA that follows in the same place finds it only if it gets the image anew.
std::string shared_image_kernel(unsigned ctas);

/// Every cycle of every warp is issued or charged to a cause.
void expect_cycles_accounted(const accounting::run_result& result);

}  // namespace tc::device::test
