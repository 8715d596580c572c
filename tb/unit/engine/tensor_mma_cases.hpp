// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <ostream>
#include <random>
#include <string>
#include <vector>

#include "tensor_mma_bench.hpp"

// Products of tcgen05.mma that are checked by the arithmetic alone, and on a machine.

namespace tc::engine::test {

std::uint32_t bits_of(double value, isa::element_type format);

/// A kind with the types of its operands.
struct typed_kind {
  isa::mma_kind of = isa::mma_kind::f16;
  isa::element_type a = isa::element_type::f16, b = isa::element_type::f16, d = isa::element_type::f32;
  isa::scale_vector scales = isa::scale_vector::none;
  isa::element_type scale = isa::element_type::none;
};

std::ostream& operator<<(std::ostream& out, const typed_kind& types);

/// Every kind, and every type of an element at least once.
std::vector<typed_kind> typed_kinds();

isa::instruction_descriptor descriptor_of(const typed_kind& types, unsigned m, unsigned n, bool sparse = false);
/// Of one CTA.
isa::mma_form form_of(const typed_kind& types);

struct named_operation {
  std::string name;
  isa::tensor_mma_operation operation;
};

/// Operations on every layout of D that a kind has, with A in either memory, and transposes, swizzles, signs, masks and IDs by turns.
std::vector<named_operation> operations_in_every_layout(const typed_kind& types);
/// Operations with a sparse A of 128 rows in each CTA.
std::vector<named_operation> sparse_operations(const typed_kind& types);

/// One output: the first elements of a row of A and of a column of B by value, the others zero, the bits of C, and codes of scales.
struct single_output {
  std::vector<double> a, b;
  std::uint32_t c = 0;
  std::vector<std::uint32_t> scale_a{}, scale_b{};
};

/// Where single outputs are computed.
inline constexpr unsigned output_row = 77, output_column = 5;

/// Puts an output into its row and column.
void put(tensor_mma_bench& bench, const typed_kind& types, const single_output& output);

/// An output with the cell that it gives.
struct known_output {
  typed_kind types;
  single_output output;
  std::uint32_t d = 0;
  unsigned scale_input_d = 0;
  bool saturate = false;

  isa::tensor_mma_operation operation() const;
};

/// Outputs that show the rules of the arithmetic, by rule.
struct known_outputs {
  std::string rule;
  std::vector<known_output> outputs;
};

inline std::ostream& operator<<(std::ostream& out, const known_outputs& of) { return out << of.rule; }

std::vector<known_outputs> outputs_of_rules();

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
