// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include <tc/accounting/run_result.hpp>

namespace tc::accounting {

/// How a kernel ended.
enum class kernel_outcome : std::uint8_t {
  finished,
  fault,      ///< it did something that the machine cannot do, or a memory refused an access: it was given up
  abandoned,  ///< gpu::abandon()
};

/// A kernel that a GPU of a platform has run. Nothing else is kept of it.
struct ended_kernel {
  std::uint32_t number = 0;  ///< as gpu::submit() gave it
  kernel_outcome outcome = kernel_outcome::finished;
  /// Of this kernel alone: kernels[0] is the kernel, the records of all lists bear its number 0, and `cycles` is what it took. Expectations
  /// are checked only if it finished.
  run_result result;
  /// Of a fault: the message type (such as fabric::report::load_store_memory) and text of the first report, as a run would have ended with.
  std::string fault_type{}, fault_text{};
};

}  // namespace tc::accounting
