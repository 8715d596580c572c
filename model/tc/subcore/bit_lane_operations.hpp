#pragma once

#include <tc/subcore/lane_operands.hpp>

namespace tc::subcore {

// What logic, shifts, and operations on single bits and bytes compute in every lane.

void logic(const lane_operands& in, lane_result& out);             ///< LOP3, ULOP3
void predicate_logic(const lane_operands& in, lane_result& out);   ///< PLOP3, UPLOP3
void funnel_shift(const lane_operands& in, lane_result& out);      ///< SHF, USHF
void permute_bytes(const lane_operands& in, lane_result& out);     ///< PRMT, UPRMT
void extend_sign(const lane_operands& in, lane_result& out);       ///< SGXT, USGXT
void make_bit_mask(const lane_operands& in, lane_result& out);     ///< BMSK, UBMSK
void count_ones(const lane_operands& in, lane_result& out);        ///< POPC, UPOPC
void find_leading_one(const lane_operands& in, lane_result& out);  ///< FLO, UFLO
void reverse_bits(const lane_operands& in, lane_result& out);      ///< BREV, UBREV

}  // namespace tc::subcore
