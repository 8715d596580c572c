// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>

namespace tc::kernels {

/// A convolution that the machine, or a method of computing it, cannot do: what() says what is wrong and what would be right.
class convolution_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace tc::kernels
