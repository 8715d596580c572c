// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <iosfwd>
#include <map>
#include <string>
#include <vector>

#include <tc/execution/execution_observer.hpp>
#include <tc/execution/grid_execution.hpp>
#include <tc/trace/kernel_header.hpp>

namespace tc::execution {

/// Writes what warps execute as a trace that runs on the machine of its architecture, for timing alone: it tells nothing about values.
/// Products of warpgroups become instructions of PTX, as traces have them.
class trace_recorder final : public execution_observer {
 public:
  /// Writes the header. Throws what `trace` throws.
  trace_recorder(const launches::launch& launch, const listings::sass_kernel& kernel, std::ostream& trace);

  void executes(const warp_state& warp, const operation& op, std::uint32_t mask) override;
  /// Writes the CTA's warps.
  void ended(std::uint64_t cta) override;

 private:
  std::string& text_of(const warp_state& warp);
  void append_product(const warp_state& warp, const operation& op, std::string& text) const;

  trace::kernel_header header_;
  std::ostream& trace_;
  std::map<std::uint64_t, std::vector<std::string>> warps_;  ///< lines of the warps of each CTA that has not ended
};

}  // namespace tc::execution
