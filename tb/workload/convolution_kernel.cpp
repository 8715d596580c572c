#include "convolution_kernel.hpp"

#include <istream>

namespace tcsim {

tc::trace::trace convolution_kernel::trace() const {
  tc::kernels::convolution_trace text(plan_, program_, tensors_);
  std::istream in(&text);
  return tc::trace::trace::read(in, name());
}

void convolution_kernel::write(std::ostream& out) const {
  tc::kernels::convolution_trace text(plan_, program_, tensors_);
  out << &text;
}

}  // namespace tcsim
