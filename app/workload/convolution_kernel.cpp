// SPDX-License-Identifier: Apache-2.0
#include "convolution_kernel.hpp"

namespace tcsim {

tc::trace::trace convolution_kernel::trace() const { return tc::kernels::convolution_trace(plan_, program_, tensors_).made(name()); }

void convolution_kernel::write(std::ostream& out) const {
  tc::kernels::convolution_trace text(plan_, program_, tensors_);
  out << &text;
}

}  // namespace tcsim
