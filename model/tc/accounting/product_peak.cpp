// SPDX-License-Identifier: Apache-2.0
#include "product_peak.hpp"

#include <limits>
#include <optional>

#include <tc/config/product_rate.hpp>
#include <tc/isa/element_type.hpp>

namespace tc::accounting {

namespace {

std::optional<isa::element_type> find_type(std::string_view name) {
  for (auto type = isa::element_type::f64;; type = static_cast<isa::element_type>(static_cast<int>(type) + 1)) {
    if (isa::name(type) == name) return type;
    if (type == isa::element_type::ue4m3) return std::nullopt;
  }
}

}  // namespace

double product_peak(const config::machine& machine, std::string_view type, bool is_of_tensor_engine) {
  constexpr double threadgroups = 8, bits_of_an_output = 256;  // of a row of A and a column of B
  const config::tensor_core_parameters& core = machine.sm.sub_core.tensor_core;
  const std::optional<isa::element_type> a = find_type(type);
  double peak = 0;
  if (a && is_of_tensor_engine)
    peak = machine.sm.tensor_engine.outputs_per_cycle * bits_of_an_output / isa::bits(*a);
  else if (a == isa::element_type::f64)
    peak = threadgroups * core.f64_units;
  else if (a)
    peak = threadgroups * core.dot_product_units * config::product_rate_of(core.unit, *a).per_cycle;
  return peak > 0 ? peak : std::numeric_limits<double>::infinity();
}

}  // namespace tc::accounting
