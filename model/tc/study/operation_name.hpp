// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include <tc/numerics/number_format.hpp>

namespace tc::study {

/// The parts of an operation's name, such as "wgmma.m64n8k32.f32.e4m3.e4m3" or "m128n8k64.block16.f32.e2m1.e2m1.ue4m3", by what they are.
struct operation_name {
  unsigned m = 0, n = 0, k = 0;
  std::vector<numerics::number_format> types;  ///< in the order of the name: D, A, B, and C or the block scales
  bool is_wgmma = false;                       ///< begins with "wgmma"
  bool saturate = false, exclusive_or = false, conjunction = false;
  std::optional<unsigned> block_length;  ///< of "block16" or "block32"
};

/// Takes a name apart. Throws std::invalid_argument that names the part it does not know, with the parts there are.
operation_name parse_operation_name(std::string_view name);

}  // namespace tc::study
