// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

namespace tc::kernels {

/// Where the kernel keeps what: first vector registers. Everything that is not a fragment is below `accumulators`.
struct gemm_registers {
  static constexpr unsigned thread = 0;                                   ///< number of the thread in its CTA
  static constexpr unsigned counter = 1;                                  ///< tiles done
  static constexpr unsigned a_pointer = 2, b_pointer = 4, d_pointer = 6;  ///< pairs: global addresses
  static constexpr unsigned a_store = 8, b_store = 9;                     ///< shared addresses that the thread copies to
  static constexpr unsigned a_load = 10, b_load = 11;                     ///< shared addresses of the warp's fragments
  static constexpr unsigned scratch = 12, cta = 13;
  static constexpr unsigned accumulators = 16;

  std::array<unsigned, 2> a_fragments{}, b_fragments{};  ///< of even and odd matrix steps
  unsigned a_staging = 0, b_staging = 0;                 ///< on the way from global to shared memory
  unsigned count = 0;                                    ///< registers of a thread
};

}  // namespace tc::kernels
