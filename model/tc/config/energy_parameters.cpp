// SPDX-License-Identifier: Apache-2.0
#include "energy_parameters.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include <tc/config/described_type.hpp>
#include <tc/config/spelling.hpp>
#include <tc/config/validation.hpp>

namespace tc::config {

namespace {

void require_energy(double picojoules, const std::string& path) {
  require(std::isfinite(picojoules) && picojoules >= 0, path, fmt::format("must not be negative, is {}", picojoules));
}

void require_energy(const std::map<std::string, double>& picojoules_of, const std::string& path) {
  static const std::vector<std::string> types{"f64", "tf32", "f16", "bf16", "e4m3", "e5m2", "e3m2", "e2m3", "e2m1", "s8", "s4", "b1"};
  for (const auto& [type, picojoules] : picojoules_of) {
    const bool is_known = std::find(types.begin(), types.end(), type) != types.end();
    if (!is_known) throw config_error(member_path(path, type), unknown_name_text("element type", type, types));
    require_energy(picojoules, member_path(path, type));
  }
}

}  // namespace

void validate(const energy_parameters& parameters, const std::string& path) {
  for_each_member<energy_parameters>([&](auto member) { require_energy(parameters.*member.pointer, member_path(path, member.name)); });
}

template const parameter_type& type_of<energy_parameters>();

}  // namespace tc::config
