// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <tc/isa/architecture.hpp>
#include <tc/kernels/gemm_address.hpp>
#include <tc/kernels/gemm_code.hpp>

namespace tc::kernels {

// Code that computes addresses, in the registers that gemm_registers gives it, and operands that use them.

/// Takes the thread's number apart into the fields of an address, from which its constant base is left out.
void compute_address(code_writer& code, const linear_address& address, unsigned target);

/// Computes a global address in the pair of registers `pointer`: what compute_address does, the CTA's place, and the base, which the code
/// has as the kernel's `parameter`th argument of 64 bits. Consumers of the CTA's place wait for `barrier`.
void compute_pointer(code_writer& code, const linear_address& address, unsigned pointer, unsigned parameter, std::uint8_t barrier);

/// Loads what accesses to global memory need besides a pointer, if the architecture has such a thing.
void load_global_descriptor(code_writer& code, std::uint8_t barrier);

/// "desc[UR4][R6.64+0x40]", or as the architecture has it.
std::string global_reference(isa::architecture arch, unsigned pointer, std::uint64_t offset);

/// ".64" and ".128"; 32 bits have no suffix.
std::string_view width_suffix(unsigned bytes);

}  // namespace tc::kernels
