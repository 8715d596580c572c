// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "inputs.hpp"
#include "variant.hpp"

namespace tc::record {

/// Where a case of a vector file keeps an element: its word and, of elements that share a word, its lowest bit there. An f64 takes the word
/// named and the next.
struct element_place {
  std::size_t word = 0;
  unsigned bit = 0;
};

/// Where the words of a case keep the matrices of one instruction (fragment figures of the PTX ISA, sections on mma and wgmma). `instance`
/// counts the independent products of f16 m8n8k4, one for each quad pair.
element_place place_of_a(const variant& v, unsigned row, unsigned k, unsigned instance = 0);
element_place place_of_b(const variant& v, unsigned k, unsigned column, unsigned instance = 0);
element_place place_of_c(const variant& v, unsigned row, unsigned column, unsigned instance = 0);

/// Stores the operands of one product in the words of a case, which must be zero where they go.
void store(const variant& v, const operand_matrices& matrices, unsigned instance, std::uint32_t* case_words);

}  // namespace tc::record
