// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <tc/config/machine.hpp>

namespace tc::accounting {

/// Multiply-accumulates of elements of a type (isa::name) that the tensor cores of a sub-core form in a cycle, or those of an SM for its
/// tensor engine; infinite for a type that they do not take.
double product_peak(const config::machine& machine, std::string_view type, bool is_of_tensor_engine);

}  // namespace tc::accounting
