// SPDX-License-Identifier: Apache-2.0
#include "rtl_variants.hpp"

#include <Vdot_products_16.h>
#include <Vdot_products_4.h>
#include <Vdot_products_8.h>
#include <Vdot_products_deep.h>
#include <Vdot_products_defective.h>
#include <stdexcept>

namespace rtl {

namespace {

template <class Top>
make_threadgroup verilated(const rtl_shape& shape) {
  return [shape](const char* name) { return std::make_unique<verilated_threadgroup<Top>>(name, shape); };
}

}  // namespace

make_threadgroup threadgroup_of(unsigned length) {
  switch (length) {
    case 4:
      return verilated<Vdot_products_4>({4, 4, 1, 3});
    case 8:
      return verilated<Vdot_products_8>({4, 8, 1, 3});
    case 16:
      return verilated<Vdot_products_16>({4, 16, 1, 3});
    default:
      throw std::invalid_argument("the RTL is made for dot products of 4, 8 or 16 elements");
  }
}

make_threadgroup deep_threadgroup() { return verilated<Vdot_products_deep>({4, 4, 2, 5}); }
make_threadgroup defective_threadgroup() { return verilated<Vdot_products_defective>({defective_units, 4, 1, 3}); }

}  // namespace rtl
