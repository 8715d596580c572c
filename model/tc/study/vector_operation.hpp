// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include <tc/isa/mma_operation.hpp>
#include <tc/numerics/dot_product_parameters.hpp>

namespace tc::study {

/// The instructions whose results vector files hold.
enum class instruction_family : std::uint8_t {
  mma_sync,  ///< operands in the registers of a warp
  wgmma,     ///< A, C and D in the registers of a warpgroup, B in shared memory
  tcgen05,   ///< operands in shared and tensor memory
};

/// "mma.sync" and so on.
std::string_view name(instruction_family family);

/// What a vector file holds results of: D = A x B + C, A m x k, B k x n, C and D m x n.
struct vector_operation {
  instruction_family family = instruction_family::mma_sync;
  unsigned m = 0, n = 0, k = 0;
  numerics::number_format c;          ///< of C; narrower than the accumulator in an m8n8k4 with C of f16 and D of f32
  numerics::dot_product_types types;  ///< of A and B, and of D as the accumulator
  isa::mma_operation fragments;       ///< who holds what of it in registers; of a wgmma, 16 rows and 8 columns of it. Unused by tcgen05
};

/// The operation of a fragment file, from its name: "m16n8k16.f32.f16.f16.f32" and all that isa::parse_ptx_mma takes, or
/// "wgmma.m64n8k16.f32.f16.f16". Throws std::invalid_argument that says which part of the name is wrong.
vector_operation parse_fragment_operation(std::string_view name);

/// What the header of a dot file says about its operation, besides its name.
struct dot_types {
  std::string_view a, b, c, d;
  std::string_view scale = "-";  ///< format of the block scales, "-" without
  unsigned k = 0, scales = 0;    ///< elements of a row, and scales of a row
};

/// The operation of a dot file, whose name is that of a fragment file, or the shape and the modifiers of a tcgen05.mma, such as
/// "m128n8k64.block16.f32.e2m1.e2m1.ue4m3". Only the row length, the modifiers and `types` matter to the results. Throws
/// std::invalid_argument that says which field is wrong, or which two contradict each other.
vector_operation parse_dot_operation(std::string_view name, const dot_types& types);

/// The same from the name alone, from which the types follow.
vector_operation parse_dot_operation(std::string_view name);

}  // namespace tc::study
