// SPDX-License-Identifier: Apache-2.0
#include "fetch_parameters.hpp"

#include <string>

#include <tc/config/validation.hpp>

namespace tc::config {

void validate(const fetch_parameters& parameters, const std::string& path) {
  require(parameters.buffer_entries > 0 && parameters.buffer_entries <= 64, member_path(path, "buffer_entries"), "must be from 1 to 64");
  require(parameters.prefetch_lines <= 64, member_path(path, "prefetch_lines"), "must be at most 64");
  require(parameters.l1.sector_bytes >= parameters.l0.sector_bytes, member_path(member_path(path, "l1"), "sector_bytes"),
          "must be at least l0.sector_bytes, " + std::to_string(parameters.l0.sector_bytes));
  require(parameters.l1_hit_cycles > 0, member_path(path, "l1_hit_cycles"), "must be positive");
  require(parameters.l1_line_cycles > 0, member_path(path, "l1_line_cycles"), "must be positive");
  require(parameters.l2_hit_cycles >= parameters.l1_hit_cycles, member_path(path, "l2_hit_cycles"),
          "must be at least l1_hit_cycles, " + std::to_string(parameters.l1_hit_cycles));
  require(parameters.l2_line_cycles >= parameters.l1_line_cycles, member_path(path, "l2_line_cycles"),
          "must be at least l1_line_cycles, " + std::to_string(parameters.l1_line_cycles));
}

}  // namespace tc::config
