// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <tc/numerics/dot_product_parameters.hpp>

namespace tc::numerics {

/// Throws std::invalid_argument with `message` unless `condition` holds.
void require(bool condition, const std::string& message);

/// What every sum of floating-point products demands of its formats: signed factors, an accumulator with infinities, a scale format without
/// signs. Throws std::invalid_argument.
void check_float_types(const dot_product_types& types);

/// Ranges of the parameters, and parameters that exclude each other. Throws std::invalid_argument that names them.
void check_parameters(const dot_product_parameters& parameters);

/// Throws std::invalid_argument if a product has more significant bits than the multipliers of a datapath give.
void check_product_width(const dot_product_types& types, unsigned significant_bits);

/// Throws std::invalid_argument if a datapath without block scales is asked for them.
void check_unscaled(const dot_product_types& types, const dot_product_parameters& parameters);

}  // namespace tc::numerics
