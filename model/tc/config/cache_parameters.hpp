// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>

#include <boost/describe/class.hpp>

#include <tc/config/parameter_type.hpp>

namespace tc::config {

/// Shape of a set-associative cache. It has bytes / (ways x line_bytes) sets.
struct cache_parameters {
  unsigned bytes = 32768;
  unsigned ways = 4;
  unsigned line_bytes = 128;
  unsigned sector_bytes = 32;

  unsigned sets() const { return bytes / (ways * line_bytes); }
};
BOOST_DESCRIBE_STRUCT(cache_parameters, (), (bytes, ways, line_bytes, sector_bytes))

inline constexpr auto describe_parameters(const cache_parameters*) {
  constexpr const char* source = "Jia et al., arXiv 1804.06826, table 3.1, where it has the cache; else design";
  return std::array{
      parameter_note{"bytes", "bytes", "capacity", source},
      parameter_note{"ways", "lines", "lines of a set, the least recently used of which is replaced", source},
      parameter_note{"line_bytes", "bytes", "what one tag stands for", source},
      parameter_note{"sector_bytes", "bytes", "part of a line that a miss brings in", source},
  };
}

void validate(const cache_parameters& parameters, const std::string& path);

}  // namespace tc::config
