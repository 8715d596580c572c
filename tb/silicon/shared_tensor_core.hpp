// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iosfwd>
#include <vector>

namespace tc::silicon {

/// Warps that multiply by themselves beside a warpgroup that does so without a gap: one CTA, a warp on each sub-core; the warpgroup's
/// instructions in groups of 16, which it waits for one behind. In cycles.
struct shared_tensor_core {
  unsigned columns = 8;      ///< N of the warpgroup's instructions, m64nNk16
  double alone = 0;          ///< from one of them to the next
  double beside_warps = 0;   ///< the same while warps multiply
  double between_warps = 0;  ///< from one HMMA of a sub-core to the next in that time
};

std::ostream& operator<<(std::ostream& out, const shared_tensor_core& row);

/// As recorded on an H100.
std::vector<shared_tensor_core> recorded_shared_tensor_cores();

/// The same on the model, which starts processes for it.
shared_tensor_core modelled_shared_tensor_core(unsigned columns);

}  // namespace tc::silicon
