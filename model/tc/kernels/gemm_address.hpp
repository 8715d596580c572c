// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace tc::kernels {

/// An address that is linear in the bits of a thread's number and in its CTA's place: every operand of the GEMM kernel is reached by one,
/// plus constants. The kernel's code computes it, and the trace lists its values.
class linear_address {
 public:
  /// Neighbouring bits of the thread's number that count elements of one stride.
  struct field {
    unsigned first_bit = 0, bits = 0;
    std::uint32_t stride = 0;  ///< bytes
  };

  linear_address() = default;
  linear_address(std::uint64_t base, std::uint32_t cta_x_stride, std::uint32_t cta_y_stride)
      : base_(base), cta_x_stride_(cta_x_stride), cta_y_stride_(cta_y_stride) {}

  /// Says what the next higher bits of the thread's number add, each twice as much as the one before it. A stride of 0 skips them.
  void add_bits(unsigned bits, std::uint32_t stride);

  std::uint64_t at(unsigned thread, unsigned cta_x, unsigned cta_y) const;

  std::uint64_t base() const { return base_; }
  std::uint32_t cta_x_stride() const { return cta_x_stride_; }
  std::uint32_t cta_y_stride() const { return cta_y_stride_; }
  const std::vector<field>& fields() const { return fields_; }

 private:
  std::uint64_t base_ = 0;
  std::uint32_t cta_x_stride_ = 0, cta_y_stride_ = 0;
  std::vector<field> fields_;
  unsigned next_bit_ = 0;
};

}  // namespace tc::kernels
