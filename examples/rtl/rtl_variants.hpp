// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "rtl_threadgroup.hpp"

namespace rtl {

// The parameters for which CMakeLists.txt has the RTL made.

/// With the arithmetic, and the stages, of the presets: length 4 as Volta, 8 as Turing and Ampere, 16 as Hopper. Throws
/// std::invalid_argument for another length.
make_threadgroup threadgroup_of(unsigned length);
/// As Volta, in deeper pipelines: two stages of multipliers, five of adders.
make_threadgroup deep_threadgroup();

/// The units of defective_threadgroup(): the first one is sound, each other has a defect of its own (defect_t in dot_product_types.sv).
inline constexpr unsigned defective_units = 9;
/// As Volta, and wrong.
make_threadgroup defective_threadgroup();

}  // namespace rtl
