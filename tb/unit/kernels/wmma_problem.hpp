// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <tc/isa/architecture.hpp>
#include <tc/isa/fragment_layout.hpp>
#include <tc/isa/mma_operation.hpp>

namespace tc::kernels::test {

/// One matrix in memory, with its content.
struct stored_matrix {
  unsigned rows = 0, columns = 0;
  isa::element_type type = isa::element_type::none;
  bool by_columns = false;
  std::uint64_t address = 0, stride = 0;  ///< stride in elements
  std::vector<double> values;             ///< by rows

  double& at(unsigned row, unsigned column) { return values[row * columns + column]; }
  double at(unsigned row, unsigned column) const { return values[row * columns + column]; }
  std::uint64_t bytes() const;
  /// The content as hexadecimal digits of its bytes; gaps between rows are zero.
  std::string hex() const;
};

/// Products D = A x B + C of one shape, with the matrices in every order that the shape allows, as PTX, with results computed here. All
/// values are small, so that no rounding occurs.
class wmma_problem {
 public:
  /// `mma` names shape and types. Matrices lie from `first_address` on.
  wmma_problem(const isa::mma_operation& mma, isa::architecture arch, std::uint64_t first_address);

  /// Header lines: memory before the run and expected after it.
  const std::string& memory() const { return memory_; }
  /// Instruction lines.
  const std::string& code() const { return code_; }
  std::uint64_t next_address() const { return next_address_; }

 private:
  void add_product(bool a_column, bool b_column, bool c_column, bool d_column);
  stored_matrix make_matrix(isa::fragment which, bool by_columns);
  std::string transfer(const std::string& action, const stored_matrix& matrix, const std::string& registers) const;

  isa::mma_operation mma_;
  isa::architecture arch_;
  std::uint64_t next_address_;
  unsigned products_ = 0;
  std::string memory_, code_;
};

/// A trace that computes problems of every shape of an architecture with A of one type.
std::string trace_of_all_shapes(isa::architecture arch, isa::element_type type);

}  // namespace tc::kernels::test
