// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <tc/kernels/convolution_plan.hpp>

namespace tcsim {

/// What the lanes of a tile hold in each step of the shift method: pixels by rows of output pixels, the lanes that are disabled, as numbers
/// and as the words of the instruction, and what is refilled. `lanes` is 128, or fewer for a smaller example: whole chunks of 32 lanes, or
/// one chunk of fewer. The plan is of the shift method, and has the tile.
std::string steps_text(const tc::kernels::convolution_plan& plan, unsigned tile, unsigned lanes);

}  // namespace tcsim
