// SPDX-License-Identifier: Apache-2.0
#include "cache_parameters.hpp"

#include <string>

#include <tc/config/validation.hpp>

namespace tc::config {

void validate(const cache_parameters& parameters, const std::string& path) {
  require(is_power_of_two(parameters.line_bytes) && parameters.line_bytes >= 16 && parameters.line_bytes <= 4096,
          member_path(path, "line_bytes"), "must be a power of two from 16 to 4096, is " + std::to_string(parameters.line_bytes));
  require(is_power_of_two(parameters.sector_bytes) && parameters.sector_bytes <= parameters.line_bytes &&
              parameters.line_bytes / parameters.sector_bytes <= 64,
          member_path(path, "sector_bytes"),
          "must be a power of two of at most line_bytes, and at least a 64th of it, is " + std::to_string(parameters.sector_bytes));
  require(parameters.ways > 0 && parameters.ways <= 1024, member_path(path, "ways"),
          "must be from 1 to 1024, is " + std::to_string(parameters.ways));
  const unsigned way_bytes = parameters.ways * parameters.line_bytes;
  require(parameters.bytes >= way_bytes && parameters.bytes % way_bytes == 0, member_path(path, "bytes"),
          "must be a multiple of ways x line_bytes, " + std::to_string(way_bytes) + ", is " + std::to_string(parameters.bytes));
}

void validate(const constant_cache_parameters& parameters, const std::string& path) {
  require(parameters.l15.sector_bytes >= parameters.l1.sector_bytes, member_path(path, "l15.sector_bytes"),
          "must be at least l1.sector_bytes, " + std::to_string(parameters.l1.sector_bytes));
  require(parameters.l2_hit_cycles >= parameters.l15_hit_cycles, member_path(path, "l2_hit_cycles"),
          "must be at least l15_hit_cycles, " + std::to_string(parameters.l15_hit_cycles));
}

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
