// SPDX-License-Identifier: Apache-2.0
#include "constant_cache_parameters.hpp"

#include <string>

#include <tc/config/validation.hpp>

namespace tc::config {

void validate(const constant_cache_parameters& parameters, const std::string& path) {
  require(parameters.l15.sector_bytes >= parameters.l1.sector_bytes, member_path(path, "l15.sector_bytes"),
          "must be at least l1.sector_bytes, " + std::to_string(parameters.l1.sector_bytes));
  require(parameters.l2_hit_cycles >= parameters.l15_hit_cycles, member_path(path, "l2_hit_cycles"),
          "must be at least l15_hit_cycles, " + std::to_string(parameters.l15_hit_cycles));
}

}  // namespace tc::config
