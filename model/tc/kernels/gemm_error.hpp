// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>

namespace tc::kernels {

/// A matrix product that the machine, or the kernel with this tiling, cannot compute: what() says what is wrong and what would be right.
class gemm_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace tc::kernels
