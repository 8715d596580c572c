// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include <tc/numerics/dot_product_parameters.hpp>
#include <tc/numerics/simd/kernels.hpp>

namespace tc::numerics {

/// The plan by which the vector kernels do a unit's sums of floating-point numbers; none if they cannot.
std::optional<simd::fused_plan> make_fused_plan(const dot_product_types& types, const dot_product_parameters& parameters);

}  // namespace tc::numerics
