// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <tc/kernels/convolution_problem.hpp>
#include <tc/kernels/convolution_trace.hpp>

namespace tcsim {

/// Random input and filters, and if `with_output` the output of a direct convolution. Elements are integers so small that every sum is
/// exact, in whichever order it is made; those of channels behind the last one are zero. Equal seeds give equal tensors. Throws
/// kernels::convolution_error if no elements are small enough for the number of products in a sum, and interrupted if a signal asks the
/// process to end.
tc::kernels::convolution_tensors make_convolution_tensors(const tc::kernels::convolution_problem& problem, std::uint64_t seed,
                                                          bool with_output);

}  // namespace tcsim
