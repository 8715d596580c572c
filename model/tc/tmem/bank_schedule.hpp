// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <tc/config/tensor_memory_parameters.hpp>
#include <tc/isa/tcgen05/tensor_access.hpp>

namespace tc::tmem {

/// Columns that one register of a warp stands for; bit i: column first + i.
struct column_set {
  unsigned first = 0;
  std::uint32_t members = 0;
};

/// The columns of each register of an access in turn, of .16x32bx2 those of its first half. The lanes do not matter: a bank serves all 32.
std::vector<column_set> columns_by_register(const isa::tensor_access& access);

/// How many cycles the banks of a chunk need for an access. A path to the banks is a few registers wide (32 lanes x 32 bit each) and takes
/// the registers of an access in their order: in a cycle it works on the first one with cells left and on those right behind it, and every
/// bank serves one row, all of whose cells of these registers move.
///
/// With banks of two columns a row and a path of two registers these are the cycles measured on a B200 (public SASS documentation project):
/// half the columns for .32x32b and one more from an odd column on, and 8 for eight columns of .16x256b, whose halves of eight lanes are in
/// different pairs of registers and pass one after the other.
class bank_schedule {
 public:
  bank_schedule(config::tensor_bank_organisation organisation, unsigned registers_per_cycle);

  /// Of registers in turn.
  unsigned cycles(std::vector<column_set> registers) const;

  /// Of a register for each column, as in .32x32b. Ranges and accesses that were asked for before cost no more than a look-up.
  unsigned cycles(isa::column_range columns);

  /// Of a warp's access, of .16x32bx2 one half. It has a repetition that its shape allows.
  unsigned cycles(const isa::tensor_access& access);

 private:
  void serve(column_set* first, const column_set* last) const;

  unsigned columns_per_row_;
  unsigned banks_;
  unsigned registers_per_cycle_;
  std::vector<unsigned> range_cycles_;   // by first column and length; 0: not known yet
  std::vector<unsigned> access_cycles_;  // by shape, packing, repetition and first column
};

}  // namespace tc::tmem
