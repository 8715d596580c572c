// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tc/config/tensor_core_parameters.hpp>
#include <tc/numerics/dot_product.hpp>

namespace tc::config {

/// Where an instruction has A and B, which decides how 8-bit factors are multiplied on Hopper.
enum class operand_source {
  registers,      ///< mma.sync
  shared_memory,  ///< wgmma, tcgen05
};

/// The dot products of a machine. The types choose the settings: by the format of A and B, and with block scales mxf4 for e2m1 alone and
/// mxf8f6f4 for everything else. Integer and binary operations have none. Throws std::invalid_argument, naming the configuration key, if
/// the machine has no such operation.
numerics::dot_product make_dot_product(const numerics::dot_product_types& types, const arithmetic_parameters& arithmetic,
                                       operand_source source = operand_source::registers);

}  // namespace tc::config
