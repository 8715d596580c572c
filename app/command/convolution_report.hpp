// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <tc/kernels/convolution_plan.hpp>

#include "convolution_kernel.hpp"

namespace tcsim {

/// A table with a column for each kernel, and one for the ratio of the last to the first if there are two.
std::string table_of(const std::vector<convolution_figures>& figures);

/// What the units of the machine counted while the kernels ran, beside what the kernels' instructions amount to. To be called while the GPU
/// is there.
std::string counters_text(const std::vector<convolution_figures>& figures);

/// What the ratio of activations read from shared memory consists of. One kernel is of the im2col method, the other of the shift method.
std::string ratio_text(const convolution_kernel& im2col, const convolution_kernel& shift);

/// What the lanes of a tile hold in each step of the shift method: pixels by rows of output pixels, the lanes that are disabled, as numbers
/// and as the words of the instruction, and what is refilled. `lanes` is 128, or fewer for a smaller example: whole chunks of 32 lanes, or
/// one chunk of fewer. The plan is of the shift method, and has the tile.
std::string steps_text(const tc::kernels::convolution_plan& plan, unsigned tile, unsigned lanes);

}  // namespace tcsim
