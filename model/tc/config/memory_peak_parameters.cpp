// SPDX-License-Identifier: Apache-2.0
#include "memory_peak_parameters.hpp"

#include <cmath>
#include <string>

#include <tc/config/validation.hpp>

namespace tc::config {

namespace {

bool is_bandwidth(const std::optional<double>& value) { return !value || (std::isfinite(*value) && *value > 0); }

}  // namespace

void validate(const memory_peak_parameters& parameters, const std::string& path) {
  constexpr const char* rule = "must be above 0, or null: not known";
  require(is_bandwidth(parameters.dram_gb_per_second), member_path(path, "dram_gb_per_second"), rule);
  require(is_bandwidth(parameters.l2_bytes_per_cycle), member_path(path, "l2_bytes_per_cycle"), rule);
}

}  // namespace tc::config
