// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <tc/config/machine.hpp>
#include <tc/platform/command_descriptor.hpp>
#include <tc/trace/limits.hpp>
#include <tc/trace/trace.hpp>

namespace tc::platform {

/// A kernel that a machine can run, and its name.
struct command_kernel {
  std::shared_ptr<const trace::trace> trace;
  std::string name;
};

/// Which commands a machine has, as in the register `capabilities`.
std::uint32_t capabilities_of(const config::machine& machine);

/// The kernel of a matrix product at the addresses of a descriptor, which are multiples of 16; D lies apart from A and B. It begins with
/// what is in memory. On machines with tensor memory the product is a convolution with filters of one tap: rows of A are pixels, columns
/// of B filters; k is a multiple of 16. It is no larger than `limits`. Throws command_error.
command_kernel make_gemm_kernel(const command_descriptor& descriptor, const config::machine& machine, const trace::size_limits& limits);

/// The kernel of a convolution, with the same rules: the output lies apart from input and filters. Throws command_error.
command_kernel make_convolution_kernel(const command_descriptor& descriptor, const config::machine& machine,
                                       const trace::size_limits& limits);

/// The kernels of matrix products and convolutions that were asked for last: to make one again takes longer than many take to run.
class kernel_cache {
 public:
  static constexpr std::size_t kept_kernels = 8;

  /// Of kernels that are no larger than `limits`.
  kernel_cache(const config::machine& machine, const trace::size_limits& limits) : machine_(machine), limits_(limits) {}

  /// The kernel of a descriptor, whose opcode is gemm or convolution. Throws command_error.
  command_kernel get(const command_descriptor& descriptor);

 private:
  struct entry {
    command_descriptor descriptor;
    command_kernel kernel;
  };

  const config::machine& machine_;
  const trace::size_limits limits_;
  std::vector<entry> entries_;  // the latest last
};

}  // namespace tc::platform
