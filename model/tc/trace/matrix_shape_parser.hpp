// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include <tc/isa/matrix_shapes.hpp>
#include <tc/trace/text_cursor.hpp>

namespace tc::trace {

inline constexpr std::string_view matrix_shape_form = "matrix-shape MNEMONIC m M n N k K a TYPE b TYPE d TYPE ...";

/// Reads what stands behind `matrix-shape` in a header line, declares it in the table and returns the mnemonic. Keywords come in any
/// order. What the table cannot say is a trace_error where it stands.
std::string parse_matrix_shape(text_cursor& in, isa::matrix_shape_table& table);

}  // namespace tc::trace
