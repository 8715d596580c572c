#pragma once

#include <tc/subcore/lane_operands.hpp>

namespace tc::subcore {

// What integer arithmetic, comparison and selection compute in every lane. Carries are those of an adder of 32 bits (64 for a wide sum):
// of several terms the first carry predicate is "at least one", the second "two".

void add(const lane_operands& in, lane_result& out);              ///< IADD3, UIADD3
void add_two(const lane_operands& in, lane_result& out);          ///< VIADD
void multiply_add(const lane_operands& in, lane_result& out);     ///< IMAD, UIMAD
void shift_add(const lane_operands& in, lane_result& out);        ///< LEA, ULEA
void minimum_maximum(const lane_operands& in, lane_result& out);  ///< IMNMX, VIMNMX: the smaller one where the predicate is true
void absolute_value(const lane_operands& in, lane_result& out);   ///< IABS
void compare(const lane_operands& in, lane_result& out);          ///< ISETP, UISETP
void select(const lane_operands& in, lane_result& out);           ///< SEL, USEL
void move(const lane_operands& in, lane_result& out);             ///< MOV, UMOV, R2UR

}  // namespace tc::subcore
