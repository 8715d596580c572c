// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <tc/kernels/convolution_plan.hpp>

namespace tc::kernels {

/// What a convolution's kernel executes on tensor memory, and the bytes that it moves, by its plan, in all CTAs.
struct convolution_traffic {
  std::uint64_t ctas = 0;

  // Instructions.
  std::uint64_t products = 0;       ///< tcgen05.mma
  std::uint64_t window_copies = 0;  ///< tcgen05.cp.128x256b
  std::uint64_t refills = 0;        ///< tcgen05.cp.4x256b
  std::uint64_t shifts = 0;         ///< tcgen05.shift
  std::uint64_t commits = 0;
  std::uint64_t bulk_copies = 0;

  // Bytes.
  std::uint64_t global_activations = 0;  ///< from global to shared memory
  std::uint64_t global_filters = 0;
  std::uint64_t shared_activations = 0;  ///< from shared to tensor memory
  std::uint64_t shared_padding = 0;      ///< of them for pixels outside the image, which are zero
  std::uint64_t shared_filters = 0;      ///< that products read in shared memory
  std::uint64_t tensor_activations = 0;  ///< that products read in tensor memory
  std::uint64_t tensor_sums_read = 0, tensor_sums_written = 0;

  std::uint64_t disabled_lanes = 0;  ///< lanes that a product does not write, of all products
};

convolution_traffic traffic_of(const convolution_plan& plan);

}  // namespace tc::kernels
