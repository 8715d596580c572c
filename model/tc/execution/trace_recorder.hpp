// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <iosfwd>
#include <map>
#include <string>
#include <vector>

#include <tc/execution/execution_observer.hpp>
#include <tc/execution/grid_execution.hpp>
#include <tc/execution/growing_text.hpp>
#include <tc/trace/kernel_header.hpp>

namespace tc::execution {

/// The header of a trace of a launch for timing alone: it tells nothing about values.
trace::kernel_header timing_header(const launches::launch& launch, const listings::sass_kernel& kernel);

/// Writes what warps execute as a trace that runs on the machine of its architecture, CTAs in their order. Numbers of barriers stand in the
/// place of registers, and products of warpgroups become instructions of PTX, as traces have them.
class trace_recorder final : public execution_observer {
 public:
  /// Writes the header, and behind it lines about contents. Throws what `trace` throws. `with_values`, which must outlive the recorder: the
  /// launch, of which the trace tells constants, memory before it, and what was recorded behind it, so that the machine computes everything
  /// anew; null: it tells nothing more.
  trace_recorder(trace::kernel_header header, const std::vector<std::string>& content_lines, std::ostream& trace,
                 const launches::launch* with_values = nullptr);

  /// Throws study::vector_error if a file of the launch cannot be read.
  void begins(const global_memory& memory, const warp::constant_memory& constants) override;
  std::uint32_t executes(const warp_state& warp, const operation& op, std::uint32_t mask) override;
  /// Writes an instruction with these addresses. Throws kernel_fault if it has no form in a trace with what its registers hold.
  void record(const warp_state& warp, const operation& op, std::uint32_t mask, const trace::address_list& addresses);
  /// Writes the CTA's warps, if all CTAs in front of it have ended.
  void ended(std::uint64_t cta) override;

 private:
  struct recorded_cta {
    std::vector<growing_text> warps;  ///< lines of each
    bool has_ended = false;
  };

  growing_text& text_of(const warp_state& warp);
  void write(std::uint64_t cta, const recorded_cta& recorded);

  const launches::launch* const launch_;  ///< whose values are told; null: none
  trace::kernel_header header_;
  std::ostream& trace_;
  std::map<std::uint64_t, recorded_cta> ctas_;  ///< that are not written
  std::uint64_t next_ = 0;                      ///< CTA to be written
};

}  // namespace tc::execution
