// SPDX-License-Identifier: Apache-2.0
#include "product_rate.hpp"

namespace tc::config {

product_rate product_rate_of(const dot_product_unit_parameters& unit, isa::element_type type) {
  switch (type) {
    case isa::element_type::f16:
      return {unit.f16_per_cycle, "f16_per_cycle"};
    case isa::element_type::bf16:
      return {unit.bf16_per_cycle, "bf16_per_cycle"};
    case isa::element_type::tf32:
      return {unit.tf32_per_cycle, "tf32_per_cycle"};
    case isa::element_type::e4m3:
    case isa::element_type::e5m2:
      return {unit.f8_per_cycle, "f8_per_cycle"};
    case isa::element_type::e2m1:
      return {unit.f4_per_cycle, "f4_per_cycle"};
    case isa::element_type::s8:
    case isa::element_type::u8:
      return {unit.s8_per_cycle, "s8_per_cycle"};
    case isa::element_type::s4:
    case isa::element_type::u4:
      return {unit.s4_per_cycle, "s4_per_cycle"};
    case isa::element_type::b1:
      return {unit.b1_per_cycle, "b1_per_cycle"};
    default:
      return {};
  }
}

}  // namespace tc::config
