// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include <tc/isa/architecture.hpp>
#include <tc/isa/mma_operation.hpp>
#include <tc/kernels/machine_writer.hpp>

namespace tc::kernels {

/// Conversions of the accumulators of a wmma between f16 and f32, where each lane has the same elements in both. A pair of f32 registers
/// becomes the halves of one.
class accumulator_conversion {
 public:
  /// Throws isa::syntax_error if the two fragments lie in different lanes, as on Volta.
  accumulator_conversion(const isa::mma_operation& mma, isa::architecture arch);

  void widen(const std::vector<unsigned>& halves, const std::vector<unsigned>& words, machine_writer& out) const;
  void narrow(const std::vector<unsigned>& words, const std::vector<unsigned>& halves, machine_writer& out) const;

 private:
  /// Of each half register, the f32 registers that hold its low and its high element.
  struct word_pair {
    unsigned low, high;
  };
  std::vector<word_pair> pairs_;
};

}  // namespace tc::kernels
