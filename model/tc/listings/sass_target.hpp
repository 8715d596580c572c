// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include <tc/trace/text_cursor.hpp>

namespace tc::listings {

/// The architecture that a line of a listing names, and where.
struct listed_target {
  std::string name;  ///< "sm_90a"; empty: no line has named one
  std::uint64_t line = 0;
  std::size_t column = 0;  ///< from 1
};

/// The target that a line names: `.target sm_80` (nvdisasm of CUDA 13), `.headerflags @"EF_CUDA_SM80 ..."` (nvdisasm and cuobjdump up to
/// CUDA 12), `arch = sm_80` and `code for sm_80` (cuobjdump). Nothing for another line.
std::optional<listed_target> target_in(trace::text_cursor in);

}  // namespace tc::listings
