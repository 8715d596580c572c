#include <tc/isa/fragment_layout.hpp>

namespace tc::isa {
namespace {

/// Number of a lane's element `x` split as the layouts see it: `w` elements of a register stand next to each other.
struct lane_element {
  unsigned group, in_group;  ///< lane / 4 and lane modulo 4: groupID and threadID_in_group of the PTX ISA
  unsigned index;            ///< element in the lane's operand
  unsigned w;                ///< elements per register
};

unsigned k_index(const lane_element& e, unsigned block) { return 4 * e.w * block + e.w * e.in_group + e.index % e.w; }

matrix_position position_in_a(const lane_element& e, unsigned m) {
  const unsigned reg = e.index / e.w;
  if (m == 8) return {e.group, k_index(e, reg)};
  return {e.group + 8 * (reg & 1), k_index(e, reg >> 1)};
}

matrix_position position_in_b(const lane_element& e) { return {k_index(e, e.index / e.w), e.group}; }

/// Also right for two f16 in one register: consecutive elements are neighbours in a row.
matrix_position position_in_c(const lane_element& e) { return {e.group + 8 * (e.index >> 1), 2 * e.in_group + (e.index & 1)}; }

/// HMMA.884: the eight lanes of a quad pair hold an 8x8x4 of their own; `half` tells its lower and upper four lanes apart.
matrix_position volta_position(const mma_operation& mma, fragment which, unsigned lane, unsigned index) {
  const unsigned in_quad = lane & 3, half = lane >> 4;
  switch (which) {
    case fragment::a:
      return mma.a_column ? matrix_position{index + 4 * half, in_quad} : matrix_position{in_quad + 4 * half, index};
    case fragment::b:
      return mma.b_column ? matrix_position{index, in_quad + 4 * half} : matrix_position{in_quad, index + 4 * half};
    default:
      break;
  }
  if (mma.steps == 2) return {in_quad + 4 * half, 4U * mma.step + index};
  const unsigned element = 2U * mma.step + index;
  return {(lane & 1) + (element & 2) + 4 * half, (element & 4) + (lane & 2) + (element & 1)};
}

matrix_position position_of(const mma_operation& mma, fragment which, unsigned lane, unsigned index, unsigned w) {
  if (mma.instances > 1) return volta_position(mma, which, lane, index);
  const lane_element e{lane >> 2, lane & 3, index, w};
  switch (which) {
    case fragment::a:
      return position_in_a(e, mma.m);
    case fragment::b:
      return position_in_b(e);
    default:
      return position_in_c(e);
  }
}

element_type type_of(const mma_operation& mma, fragment which) {
  switch (which) {
    case fragment::a:
      return mma.a;
    case fragment::b:
      return mma.b;
    case fragment::c:
      return mma.c;
    default:
      return mma.d;
  }
}

unsigned registers_of(const mma_operation& mma, fragment which) {
  switch (which) {
    case fragment::a:
      return mma.a_registers();
    case fragment::b:
      return mma.b_registers();
    case fragment::c:
      return mma.c_registers();
    default:
      return mma.d_registers();
  }
}

}  // namespace

fragment_layout::fragment_layout(const mma_operation& mma, fragment which)
    : rows_(which == fragment::b ? mma.k : mma.m), columns_(which == fragment::a ? mma.k : mma.n), registers_(registers_of(mma, which)) {
  const unsigned element_bits = bits(type_of(mma, which));
  if (element_bits > 32) {
    registers_per_element_ = element_bits / 32;
  } else {
    elements_per_register_ = 32 / element_bits;
  }
  const unsigned elements = registers_ / registers_per_element_ * elements_per_register_;
  positions_.reserve(std::size_t{lanes} * elements);
  holders_.resize(std::size_t{mma.instances} * rows_ * columns_);
  for (unsigned lane = 0; lane < lanes; ++lane) {
    const unsigned quad_pair = mma.instances > 1 ? (lane >> 2) & 3 : 0;
    for (unsigned index = 0; index < elements; ++index) {
      const matrix_position at = position_of(mma, which, lane, index, elements_per_register_);
      positions_.push_back(at);
      holders_.at((quad_pair * rows_ + at.row) * columns_ + at.column) =
          fragment_element{lane, index / elements_per_register_ * registers_per_element_, index % elements_per_register_};
    }
  }
}

}  // namespace tc::isa
