// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <tc/config/machine.hpp>
#include <tc/numerics/dot_product.hpp>
#include <tc/study/vector_header.hpp>

namespace tcsim {

/// The unit of a machine that computes the operation of vectors. Throws usage_error, which calls the machine `called`, if it has none.
tc::numerics::dot_product make_vector_unit(const tc::study::vector_header& header, const tc::config::machine& machine,
                                           const std::string& called);

}  // namespace tcsim
