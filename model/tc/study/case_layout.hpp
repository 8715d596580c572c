// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include <tc/isa/fragment_layout.hpp>
#include <tc/study/vector_case.hpp>

namespace tc::study {

/// Where the words of a case in a vector file belong in its matrices. Who holds what in registers is what isa::fragment_layout says.
class case_layout {
 public:
  explicit case_layout(const vector_header& header);

  /// Words of a case in the file.
  unsigned stored_words() const { return stored_words_; }

  /// Fills the matrices of a case from its words in the file.
  void gather(const std::uint32_t* stored, vector_case& values) const;
  /// The inverse.
  void scatter(const vector_case& values, std::uint32_t* stored) const;

  /// Bits of a stored word that no element uses; of a dot file, where an element of few bits has a word of its own.
  std::uint32_t unused_bits(unsigned stored_word) const { return ~used_bits_[stored_word]; }
  /// The operand that a stored word is of.
  vector_operand operand_at(unsigned stored_word) const { return operands_[stored_word]; }

 private:
  /// Some bits of a word in the file are bits of a word of an operand, `left` places further up there; further down if negative.
  struct bit_move {
    std::uint32_t stored, place;
    std::uint32_t mask;  ///< of the stored word
    int left;
  };
  /// An element in the file: its word, and in it the number of its lowest bit.
  struct stored_element {
    unsigned word, bit;
  };

  void add_dot(const vector_header& header);
  void add_warp(const vector_header& header);
  void add_warpgroup(const vector_header& header);
  /// The registers of one operand of a warp: those of lane l begin at stored word `first + l * stride`; (row, column) of the fragment is
  /// (first_row + row, first_column + column) of the matrix.
  struct warp_registers {
    unsigned first, stride, first_row = 0, first_column = 0;
  };
  void add_fragment(const vector_header& header, isa::fragment which, const warp_registers& where);
  void add_element(const vector_header& header, vector_operand which, unsigned matrix, unsigned line, unsigned index, stored_element from);
  void add_move(vector_operand which, const bit_move& move);

  unsigned stored_words_ = 0;
  std::array<std::vector<bit_move>, vector_operands> moves_;
  std::vector<std::uint32_t> used_bits_;
  std::vector<vector_operand> operands_;
};

}  // namespace tc::study
