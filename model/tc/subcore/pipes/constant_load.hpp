// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tc/links/warp_instruction.hpp>
#include <tc/subcore/pipes/constant_cache.hpp>

namespace tc::subcore {

/// True if the lanes of an LDC may read at different addresses: a vector register indexes the bank.
bool is_indexed_by_lane(const isa::instruction& code);

/// Where an LDC or ULDC reads. Its index register is looked at only if `data`: without, all lanes read at one address.
constant_addresses addresses_of(const links::warp_instruction& instruction, bool data);

/// Puts the words of an LDC or ULDC into its result registers and marks lanes whose word the trace does not give. False if the model cannot
/// tell where it reads: a uniform register indexes the bank.
bool load_constants(links::warp_instruction& instruction);

}  // namespace tc::subcore
