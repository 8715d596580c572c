// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "tensor_mma_cases.hpp"

namespace tc::engine::test {

/// Matrices of small integers and powers of two, whose product is exact in every format, in the bench of an operation.
class integer_matrices {
 public:
  integer_matrices(const isa::tensor_mma_operation& operation, const typed_kind& types, unsigned seed);

  tensor_mma_bench& bench() { return bench_; }

  /// D is what plain arithmetic says, in all lanes that are written.
  void expect_product() const;

 private:
  unsigned m() const { return bench_.plan().m(); }
  unsigned n() const { return bench_.plan().n(); }
  unsigned blocks() const { return isa::scales(operation_.form.scales); }

  int integer(int least, int largest) { return std::uniform_int_distribution<int>(least, largest)(random_); }
  double element(isa::element_type of) { return integer(of == isa::element_type::u8 ? 0 : -3, 3); }
  static double c(unsigned row, unsigned column) { return static_cast<int>(7 * row + 5 * column) % 23 - 11; }

  void put_a();
  void put_a(unsigned row, unsigned k, unsigned stored);
  void put_sparse(unsigned row);
  void put_b();
  void put_scales();
  double expected(unsigned row, unsigned column) const;

  tensor_mma_bench bench_;
  isa::tensor_mma_operation operation_;
  typed_kind types_;
  std::minstd_rand random_;
  unsigned k_;
  std::vector<double> a_, b_, scale_a_, scale_b_;
};

}  // namespace tc::engine::test
