#pragma once

#include <tc/subcore/lane_operands.hpp>

namespace tc::subcore {

// Floating-point arithmetic in every lane: one rounding per result (IEEE 754).

void float_add(const lane_operands& in, lane_result& out);            ///< FADD
void float_multiply(const lane_operands& in, lane_result& out);       ///< FMUL
void float_multiply_add(const lane_operands& in, lane_result& out);   ///< FFMA
void packed_add(const lane_operands& in, lane_result& out);           ///< HADD2: two of 16 bits, or with .F32 the low ones as an f32
void packed_multiply(const lane_operands& in, lane_result& out);      ///< HMUL2
void packed_multiply_add(const lane_operands& in, lane_result& out);  ///< HFMA2

}  // namespace tc::subcore
