// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <tuple>

#include <tc/config/tensor_core_parameters.hpp>
#include <tc/engine/product/tensor_mma_plan.hpp>
#include <tc/numerics/matrix_product.hpp>

namespace tc::engine {

/// The matrix products of tcgen05.mma on a machine, each made at its first use.
class tensor_products {
 public:
  explicit tensor_products(const config::arithmetic_parameters& arithmetic) : arithmetic_(arithmetic) {}

  /// The product of an operation's matrices: of a sparse A that of what is stored, B x A instead of A x B, as each row of A meets other
  /// elements of B. It stays where it is. Throws std::invalid_argument, naming the configuration key, if the machine does not have it.
  const numerics::matrix_product& of(const tensor_mma_plan& plan);

 private:
  /// What the arithmetic depends on: kind, scales, sparsity, types of A, B, D and scales, saturation.
  using key =
      std::tuple<isa::mma_kind, isa::scale_vector, bool, isa::element_type, isa::element_type, isa::element_type, isa::element_type, bool>;

  numerics::matrix_product make(const tensor_mma_plan& plan) const;

  config::arithmetic_parameters arithmetic_;
  std::map<key, numerics::matrix_product> products_;
};

}  // namespace tc::engine
