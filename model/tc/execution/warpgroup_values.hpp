// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tc/execution/warpgroup_product.hpp>
#include <tc/warp/lane_vector.hpp>

namespace tc::execution {

class warp_state;
struct operation;

/// The registers of an operand of a matrix instruction; RZ stands for as many zeros.
const warp::lane_vector* operand_registers(const warp_state& warp, unsigned index);

/// What a warp has of the operands of a product of its warpgroup. Throws kernel_fault for a descriptor that says no matrix.
warpgroup_product::values warpgroup_values(const warp_state& warp, const operation& op);

}  // namespace tc::execution
