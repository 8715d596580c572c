// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include <tc/isa/architecture.hpp>
#include <tc/isa/fragment_layout.hpp>
#include <tc/isa/mma_operation.hpp>

namespace tc::isa {

/// The layout of an operand of wmma.mma; nothing if nobody has published or recorded it. The PTX ISA leaves the layout of wmma fragments to
/// the architecture: on Volta two lanes hold each element of A and B, and the memory order decides which; from Turing on the order does not
/// matter, and a half-precision fragment that would not fill its eight registers holds copies in the same lane.
///
/// sm_70: Jia et al., arXiv 1804.06826, figures 4.2, 4.3, 4.7, of m16n16k16; nobody has published m32n8k16 and m8n32k16, which are
/// inferred from the quad pairs of HMMA.884. sm_75: the address code that ptxas makes of wmma.load. sm_90: recorded on an H200; for the
/// other architectures from sm_80 on, CUDA 13 compiles wmma to the same loads and instructions.
std::optional<fragment_layout> wmma_layout(const mma_operation& mma, fragment which, architecture arch);

/// Whether the layout of a wmma.mma is inferred, and neither published nor recorded.
bool is_inferred_wmma_layout(const mma_operation& mma, architecture arch);

}  // namespace tc::isa
