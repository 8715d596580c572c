// SPDX-License-Identifier: Apache-2.0
#include "gemm_address.hpp"

namespace tc::kernels {

void linear_address::add_bits(unsigned bits, std::uint32_t stride) {
  const unsigned first = next_bit_;
  next_bit_ += bits;
  if (bits == 0 || stride == 0) return;
  if (!fields_.empty()) {
    field& last = fields_.back();
    if (last.first_bit + last.bits == first && last.stride << last.bits == stride) {
      last.bits += bits;
      return;
    }
  }
  fields_.push_back({first, bits, stride});
}

std::uint64_t linear_address::at(unsigned thread, unsigned cta_x, unsigned cta_y) const {
  std::uint64_t address = base_ + std::uint64_t{cta_x_stride_} * cta_x + std::uint64_t{cta_y_stride_} * cta_y;
  for (const field& f : fields_) address += std::uint64_t{f.stride} * (thread >> f.first_bit & ((1u << f.bits) - 1));
  return address;
}

}  // namespace tc::kernels
