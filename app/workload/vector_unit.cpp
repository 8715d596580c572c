// SPDX-License-Identifier: Apache-2.0
#include "vector_unit.hpp"

#include <stdexcept>

#include <fmt/format.h>

#include <tc/study/case_arithmetic.hpp>

#include "exit_status.hpp"

namespace tcsim {

tc::numerics::dot_product make_vector_unit(const tc::study::vector_header& header, const tc::config::machine& machine,
                                           const std::string& called) {
  try {
    return tc::study::make_unit(header.operation, machine.sm.sub_core.tensor_core.arithmetic);
  } catch (const std::invalid_argument& error) {
    throw usage_error(fmt::format("{} on {}: {}", header.name, called, error.what()));
  }
}

}  // namespace tcsim
