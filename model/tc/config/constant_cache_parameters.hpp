// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>

#include <boost/describe/class.hpp>

#include <tc/config/cache_parameters.hpp>
#include <tc/config/parameter_type.hpp>

namespace tc::config {

/// Constant caches of LDC and ULDC. A hit in L1 takes the latency of the constant pipe.
struct constant_cache_parameters {
  bool ideal = true;
  unsigned pass_cycles = 11;
  cache_parameters l1{2048, 4, 64, 64};
  cache_parameters l15{65536, 4, 256, 256};
  unsigned l15_hit_cycles = 62;
  unsigned l2_hit_cycles = 218;
};
BOOST_DESCRIBE_STRUCT(constant_cache_parameters, (), (ideal, pass_cycles, l1, l15, l15_hit_cycles, l2_hit_cycles))

inline constexpr auto describe_parameters(const constant_cache_parameters*) {
  constexpr const char* volta = "Jia et al., arXiv 1804.06826, table 3.1: 27, 89 and 245 cycles";
  return std::array{
      parameter_note{"ideal", "", "whether every constant is in the L1 cache", "design"},
      parameter_note{"pass_cycles", "cycles", "each further distinct address of a warp", "measured on an H200: LDC with addresses by lane"},
      parameter_note{"l1", "", "L1 constant cache of the sub-core", ""},
      parameter_note{"l15", "", "L1.5 constant cache of the SM", ""},
      parameter_note{"l15_hit_cycles", "cycles", "what a constant from L1.5 takes longer than one from L1", volta},
      parameter_note{"l2_hit_cycles", "cycles", "what a constant from L2 takes longer than one from L1", volta},
  };
}

void validate(const constant_cache_parameters& parameters, const std::string& path);

}  // namespace tc::config
