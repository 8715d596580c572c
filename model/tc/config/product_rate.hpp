// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <tc/config/tensor_core_parameters.hpp>
#include <tc/isa/element_type.hpp>

namespace tc::config {

/// How many products of elements of one type a dot-product unit forms in a cycle.
struct product_rate {
  unsigned per_cycle = 0;  ///< multiply-accumulates; 0: the unit does not take the type
  std::string_view key;    ///< of the parameter that says so; empty for a type that no dot-product unit takes
};

product_rate product_rate_of(const dot_product_unit_parameters& unit, isa::element_type type);

}  // namespace tc::config
