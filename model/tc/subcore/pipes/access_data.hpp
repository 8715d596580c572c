// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include <tc/links/warp_instruction.hpp>
#include <tc/subcore/pipes/access_plan.hpp>
#include <tc/subcore/pipes/memory_operation.hpp>

namespace tc::subcore {

/// The bytes of one access on their way between registers and memory, where the plan puts them.
struct access_buffer {
  std::array<unsigned char, access_plan::max_bytes> bytes;
  std::array<unsigned char, access_plan::max_bytes> undefined;  ///< not 0: nobody wrote the byte; meaningful only if `any_undefined`
  bool any_undefined = false;
};

/// What an instruction accesses, with the addresses of the trace behind a base. Matrix rows are elements of 16 bytes, whatever the mask.
access_elements elements_of(const links::warp_instruction& instruction, const memory_operation& operation, std::uint64_t base = 0);

/// Puts the data of a store into the buffer. Of lanes that store to one address the highest wins.
void take_store_data(const links::warp_instruction& instruction, const memory_operation& operation, const access_plan& plan,
                     access_buffer& buffer);

/// Puts what a load brought into the result registers, and marks the lanes whose bytes are undefined.
void give_load_data(links::warp_instruction& instruction, const memory_operation& operation, const access_plan& plan,
                    const access_buffer& buffer);

/// MOVM: the transposed matrix of the source register.
void transpose_matrix(links::warp_instruction& instruction);

}  // namespace tc::subcore
