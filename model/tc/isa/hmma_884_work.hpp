// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tc/isa/element_type.hpp>

namespace tc::isa {

/// What one threadgroup (four lanes) computes in one step of HMMA.884, of the sixteen or eight that make up a wmma.m16n16k16 on Volta: four
/// sets, each of four steps with f32 sums or of two with f16 (Raihan et al., ISPASS 2019, figure 9, tables II and III). It multiplies rows
/// of A that its own lanes hold by columns of B that one of the two threadgroups of its octet holds, which the octet shares.
struct hmma_884_work {
  unsigned first_row = 0, rows = 0;        ///< of A and D
  unsigned first_column = 0, columns = 0;  ///< of B and D
  unsigned first_k = 0, ks = 0;
  unsigned b_threadgroup = 0;               ///< whose B it takes
  unsigned a_register = 0, b_register = 0;  ///< first of a pair, of the eight registers of the wmma's A and B
  unsigned d_register = 0;                  ///< first of a pair, of the registers of C and D
};

constexpr unsigned hmma_884_sets = 4;

/// Steps of a set: 4 with f32 sums, 2 with f16.
constexpr unsigned hmma_884_steps(element_type accumulator) { return accumulator == element_type::f32 ? 4 : 2; }

/// `threadgroup` is lane / 4.
constexpr hmma_884_work work_of_hmma_884(element_type accumulator, unsigned set, unsigned step, unsigned threadgroup) {
  const bool is_f32 = accumulator == element_type::f32;
  const unsigned octet = threadgroup & 3, column_half = is_f32 ? step / 2 : step;
  hmma_884_work work;
  work.rows = is_f32 ? 2 : 4;
  work.first_row = 8 * (octet & 1) + 4 * (threadgroup / 4) + (is_f32 ? 2 * (step & 1) : 0);
  work.columns = 4;
  work.first_column = 8 * (octet / 2) + 4 * column_half;
  work.ks = 4;
  work.first_k = 4 * set;
  work.b_threadgroup = octet + 4 * column_half;
  work.a_register = work.b_register = 2 * set;
  work.d_register = 2 * step;
  return work;
}

}  // namespace tc::isa
