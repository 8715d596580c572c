// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <tc/isa/architecture.hpp>
#include <tc/isa/mma_operation.hpp>
#include <tc/isa/ptx_shapes.hpp>
#include <tc/isa/source_text.hpp>

namespace tc::isa {

/// A matrix multiply-accumulate as PTX names it. Of m8n8k4 of half precision, `mma` is all of the four matrices.
struct ptx_mma {
  ptx_instruction instruction = ptx_instruction::mma_sync;
  mma_operation mma;
};

/// Decodes a name, which is all of `source`: as PTX writes it, "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32" and
/// "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32", or in short, with the types of D, A, B and C, "m16n8k16.f32.f16.f16.f32", and for
/// wmma also with those of A and of D alone, "wmma.m16n16k16.f16.f32". .row and .col may be left out and are .row.col then. Throws
/// syntax_error: no such part, shape, or combination of types, or `arch` does not have it.
ptx_mma parse_ptx_mma(architecture arch, const source_text& source);

/// The name in full, which parse_ptx_mma reads.
std::string name(const ptx_mma& operation);

}  // namespace tc::isa
