// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <tc/study/vector_operation.hpp>

namespace tc::study {

/// The two kinds of vector files.
enum class vector_kind : std::uint8_t {
  fragments,  ///< .bin: the registers of all lanes of matrix instructions
  dots,       ///< .dot: single dot products, an element a word
};

/// The text line that a vector file begins with. What follows it are little-endian words of 32 bits:
///
/// * fragments: `name a_regs b_regs c_regs d_regs cases device`. For each case, for each of 32 lanes, the registers of A, B, C and D.
///   wgmma: for each case b_regs words of B as shared memory holds them, 32 bytes of k for each column, then for each of 128 lanes the
///   registers of A, C and D.
/// * dots: `dot arch name k= scales= a= b= c= d= s= cases=`. For each case k elements of A, k of B, the scales of A, those of B, C and D:
///   an element a word, of f64 two words, the low one first.
struct vector_header {
  vector_kind kind = vector_kind::fragments;
  std::string name;    ///< of the operation, as the file spells it
  std::string origin;  ///< what computed D: a device, or a generation of architectures
  std::uint64_t cases = 0;
  vector_operation operation;

  // Matrices of a case. A dot file has those of a single output.
  unsigned matrices() const { return kind == vector_kind::dots ? 1 : operation.fragments.instances; }
  unsigned rows() const { return kind == vector_kind::dots ? 1 : operation.m; }
  unsigned columns() const { return kind == vector_kind::dots ? 1 : operation.n; }
  unsigned outputs() const { return matrices() * rows() * columns(); }
  /// Block scales of a row.
  unsigned scales() const { return operation.types.scaling ? operation.k / operation.types.scaling->block_length : 0; }
};

/// Registers of a lane that hold each operand; of a wgmma's B the words of a case.
struct register_counts {
  unsigned a = 0, b = 0, c = 0, d = 0;
};

constexpr bool operator==(const register_counts& x, const register_counts& y) {
  return x.a == y.a && x.b == y.b && x.c == y.c && x.d == y.d;
}

/// What the operation takes.
register_counts registers_of(const vector_operation& operation);

/// The header of a file of an operation by name. Throws std::invalid_argument, as parse_fragment_operation and parse_dot_operation do.
vector_header make_header(vector_kind kind, std::string_view name, std::string origin, std::uint64_t cases);

/// Reads a header line. Throws std::invalid_argument that names the field which is wrong, and says what would be right.
vector_header parse_header(std::string_view line);

/// The header as a line, without line feed.
std::string text_of(const vector_header& header);

}  // namespace tc::study
