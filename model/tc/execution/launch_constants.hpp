// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <tc/execution/module_symbols.hpp>
#include <tc/isa/architecture.hpp>
#include <tc/launches/launch.hpp>
#include <tc/listings/sass_listing.hpp>
#include <tc/warp/kernel_constants.hpp>

namespace tc::execution {

/// Where the code of an architecture finds the top of its stack, stack_top, in constant bank 0.
std::uint32_t stack_constant_offset(isa::architecture arch);

/// The constant banks of a launch: what it says itself, its parameters, what the code has, addresses of symbols included, and what a driver
/// puts into bank 0.
warp::constant_memory constants_of(const launches::launch& launch, const listings::sass_kernel& kernel, const module_symbols& symbols);

std::vector<std::uint8_t> little_endian(std::uint64_t value, unsigned bytes);

}  // namespace tc::execution
