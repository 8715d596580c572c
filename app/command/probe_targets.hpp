// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <tc/config/tensor_core_parameters.hpp>
#include <tc/numerics/dot_product.hpp>

namespace tcsim {

/// A dot-product unit of a machine to probe.
struct probe_target {
  std::string input;  ///< as after --input: an element format, or a block-scaled kind
  std::string label;  ///< "f16 x f16 + f32", with the source of the operands where it matters
  tc::numerics::dot_product unit;
  unsigned k;  ///< four times the k of one instruction, so that chains show
};

/// Names for --input, `all` apart.
std::vector<std::string> probe_inputs();

/// The units of a machine that take this input and give this output (a format name, or "all"). Throws usage_error if there is none.
std::vector<probe_target> probe_targets(const tc::config::tensor_core_parameters& cores, const std::string& input,
                                        const std::string& output);

}  // namespace tcsim
