#pragma once

#include <tc/subcore/lane_operands.hpp>

namespace tc::subcore {

// Conversions between number formats in every lane (PTX ISA, cvt). .FTZ is about f32 alone.

void convert_float(const lane_operands& in, lane_result& out);         ///< F2F
void pack_floats(const lane_operands& in, lane_result& out);           ///< F2FP.PACK_AB: A in the high half, B in the low one
void convert_float_to_int(const lane_operands& in, lane_result& out);  ///< F2I: out of range gives the nearest number of the type
void convert_int_to_float(const lane_operands& in, lane_result& out);  ///< I2F, I2FP

}  // namespace tc::subcore
