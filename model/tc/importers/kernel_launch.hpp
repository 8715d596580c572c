// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <tc/config/tensor_core_parameters.hpp>
#include <tc/trace/kernel_header.hpp>

namespace tc::importers {

/// What machine code does not say about a run of its kernel.
struct kernel_launch {
  trace::kernel_header header;                              ///< of the trace; its constants hold the arguments of the kernel
  std::vector<std::string> content_lines;                   ///< what `header` has of constants and memory, as lines of a trace
  std::map<std::uint32_t, std::string> addresses;           ///< by pc, as a trace has them behind the '@'; instead of computed ones
  std::uint64_t max_instructions = 1'000'000;               ///< that a warp may execute
  std::optional<config::arithmetic_parameters> arithmetic;  ///< of tensor cores; none: products of matrices are unknown
};

}  // namespace tc::importers
