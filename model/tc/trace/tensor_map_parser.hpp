// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tc/isa/tensor_map.hpp>
#include <tc/trace/text_cursor.hpp>

namespace tc::trace {

/// Reads what stands behind the address in a line `tensor-map`, keywords in any order, dimensions from the innermost out:
///
///     tiled TYPE base ADDRESS sizes S0 S1 ... strides B1 ... box N0 N1 ... [element-strides 1 E1 ...]
///     im2col TYPE base ADDRESS sizes C W [H [D]] N strides B1 ... lower W [H [D]] upper W [H [D]] channels C pixels P [element-strides
///     ...]
///
/// and for both [swizzle none|32B|64B|128B] [interleave none] [fill zero|nan]. The limits are those of cuTensorMapEncodeTiled and
/// cuTensorMapEncodeIm2col (CUDA driver API). Throws trace_error.
isa::tensor_map parse_tensor_map(text_cursor& in);

}  // namespace tc::trace
