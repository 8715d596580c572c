// SPDX-License-Identifier: Apache-2.0
#include "run_options.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <tc/device/run_error.hpp>

namespace tc::device {

namespace {

constexpr const char* own = "model";

template <class Maker>
Maker choose_maker(const std::map<std::string, Maker>& registered, const std::string& key, const std::string& name) {
  if (registered.count(own) != 0)
    throw run_error(fmt::format("units.{}: \"{}\" is the model's own, and no name for another unit", key, own));
  if (name == own) return {};
  if (const auto found = registered.find(name); found != registered.end() && found->second) return found->second;
  std::string names = fmt::format("\"{}\"", own);
  for (const auto& [other, maker] : registered)
    if (maker) names += fmt::format(", \"{}\"", other);
  throw run_error(fmt::format("units.{}: nobody has registered \"{}\"; known: {}", key, name, names));
}

}  // namespace

sc_core::sc_time clock_period(double clock_mhz) {
  const double exact = 1e-6 / clock_mhz, resolution = sc_core::sc_get_time_resolution().to_seconds();
  return sc_core::sc_time::from_value(static_cast<sc_dt::uint64>(std::max(1.0, std::round(exact / resolution))));
}

links::unit_makers unit_registry::choose(const config::unit_parameters& names) const {
  return {choose_maker(dot_products, "dot_products", names.dot_products), choose_maker(register_bank, "register_bank", names.register_bank),
          choose_maker(tensor_memory, "tensor_memory", names.tensor_memory),
          choose_maker(global_memory, "global_memory", names.global_memory)};
}

}  // namespace tc::device
