// SPDX-License-Identifier: Apache-2.0
#include "memory_hierarchy_parameters.hpp"

#include <string>

#include <tc/config/validation.hpp>

namespace tc::config {

void validate(const translation_parameters& parameters, const std::string& path) {
  require(parameters.entries > 0 && parameters.entries <= 4096, member_path(path, "entries"), "must be from 1 to 4096");
  const bool is_power_of_two = (parameters.page_kib & (parameters.page_kib - 1)) == 0;
  require(parameters.page_kib >= 4 && is_power_of_two, member_path(path, "page_kib"),
          "must be a power of two of at least 4, is " + std::to_string(parameters.page_kib));
}

void validate(const memory_hierarchy_parameters& parameters, const std::string& path) {
  require(parameters.l1_hit_cycles > 0, member_path(path, "l1_hit_cycles"), "must be positive");
  require(parameters.l2_hit_cycles >= parameters.l1_hit_cycles, member_path(path, "l2_hit_cycles"),
          "must be at least l1_hit_cycles, " + std::to_string(parameters.l1_hit_cycles));
  require(parameters.l2_miss_cycles >= parameters.l2_hit_cycles, member_path(path, "l2_miss_cycles"),
          "must be at least l2_hit_cycles, " + std::to_string(parameters.l2_hit_cycles));
}

}  // namespace tc::config
