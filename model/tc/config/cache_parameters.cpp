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

}  // namespace tc::config
