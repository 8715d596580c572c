// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <tc/isa/architecture.hpp>
#include <tc/isa/element_type.hpp>

namespace tc::kernels {

/// The element types of a matrix product D = A x B: one for A and B, one for D, in which the sums are accumulated.
struct gemm_precision {
  std::string_view name;  ///< "f16", or "mixed" for f16 with f32 sums, as the literature on tensor cores calls them
  isa::element_type multiplicand, accumulator;
  std::string_view opcode;    ///< HMMA, QMMA, IMMA or BMMA: the instructions of the register file
  std::string_view suffixes;  ///< of the mnemonic, behind the shape
};

/// The precision of that name. Throws gemm_error, which lists all names.
const gemm_precision& find_precision(std::string_view name);

/// Names of the precisions whose matrix instructions an architecture has, for messages: "f16, mixed, s8".
std::string precision_names(isa::architecture arch);

/// Whether an architecture has warpgroup instructions that multiply a precision.
bool has_warpgroup_product(const gemm_precision& precision, isa::architecture arch);

/// All names.
std::vector<std::string> precision_names();

}  // namespace tc::kernels
