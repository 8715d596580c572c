// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace tc::execution {

class warp_state;
struct operation;

/// What a BAR names.
struct barrier_numbers {
  unsigned barrier = 0, threads = 0;  ///< threads: 0 for all of the CTA
};

/// The numbers of a BAR, as the lowest lane of `mask` has them in its registers. Where one register stands for both, its bits 3:0 are the
/// barrier, and the threads begin at bit 16, as nvcc 12 puts them together.
barrier_numbers barrier_numbers_of(const warp_state& warp, const operation& op, std::uint32_t mask);

}  // namespace tc::execution
