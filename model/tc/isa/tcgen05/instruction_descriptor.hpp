// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include <tc/isa/element_type.hpp>
#include <tc/isa/matrix_descriptor.hpp>
#include <tc/isa/tcgen05/mma_form.hpp>

namespace tc::isa {

/// The 32-bit instruction descriptor of tcgen05.mma (PTX ISA, "Instruction descriptor"; CUTLASS, mma_sm100_desc.hpp).
struct instruction_descriptor {
  element_type a = element_type::f16, b = element_type::f16, d = element_type::f32;
  unsigned m = 128, n = 8;
  bool sparse = false;
  std::uint8_t sparsity_selector = 0;                                 ///< 0 to 3
  bool saturate = false;                                              ///< i8 only
  bool negate_a = false, negate_b = false;                            ///< not i8
  matrix_major a_major = matrix_major::k, b_major = matrix_major::k;  ///< in shared memory
  std::uint8_t max_shift = 0;                                         ///< columns of B that .ws may shift by: 0, 8, 16 or 32
  element_type scale_type = element_type::none;                       ///< ue8m0 or ue4m3, of block-scaled kinds
  std::uint8_t scale_a_id = 0, scale_b_id = 0;                        ///< the byte of a cell with the first scale, 0 to 3
};

/// Why 32 bits are no instruction descriptor of a form, empty if they are: a bit that must be 0, a code of no element type of the kind, an
/// M or N that the form does not have (PTX ISA, tables of the descriptor and of the shapes). Every text names the field and its bits. The
/// form must be one (mma_form_mistake()), or its mistake is returned.
std::string instruction_descriptor_mistake(std::uint32_t bits, const mma_form& form);

/// The fields of a descriptor. Throws std::invalid_argument with instruction_descriptor_mistake().
instruction_descriptor decode_instruction_descriptor(std::uint32_t bits, const mma_form& form);

/// The bits of a descriptor. Throws std::invalid_argument as decoding them would.
std::uint32_t encode(const instruction_descriptor& descriptor, const mma_form& form);

}  // namespace tc::isa
