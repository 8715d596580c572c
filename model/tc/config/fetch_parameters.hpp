// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>

#include <boost/describe/class.hpp>

#include <tc/config/cache_parameters.hpp>
#include <tc/config/parameter_type.hpp>

namespace tc::config {

/// Instruction fetch of a sub-core: an instruction buffer for each warp, an L0 cache with a prefetcher, and the SM's L1 cache behind it.
struct fetch_parameters {
  bool ideal = true;
  unsigned buffer_entries = 3;
  unsigned fetch_cycles = 2;
  cache_parameters l0{12288, 3, 256, 256};
  unsigned prefetch_lines = 8;
  cache_parameters l1{131072, 8, 512, 256};
  unsigned l1_hit_cycles = 24;
  unsigned l1_line_cycles = 32;
  unsigned l2_hit_cycles = 200;
  unsigned l2_line_cycles = 88;
};
BOOST_DESCRIBE_STRUCT(fetch_parameters, (),
                      (ideal, buffer_entries, fetch_cycles, l0, prefetch_lines, l1, l1_hit_cycles, l1_line_cycles, l2_hit_cycles,
                       l2_line_cycles))

inline constexpr auto describe_parameters(const fetch_parameters*) {
  constexpr const char* huerta = "Huerta et al., arXiv 2503.20481, section 5.2";
  constexpr const char* measured = "measured on an H200: FFMA in straight lines longer than a cache";
  return std::array{
      parameter_note{"ideal", "", "whether every instruction is there when its warp could issue it", "design"},
      parameter_note{"buffer_entries", "instructions", "instructions of a warp that are fetched ahead", huerta},
      parameter_note{"fetch_cycles", "cycles", "from the fetch to the instruction in the buffer: fetch and decode", huerta},
      parameter_note{"l0", "", "L0 cache of the sub-core", ""},
      parameter_note{"prefetch_lines", "lines", "lines behind the one in use that the stream buffer asks for", huerta},
      parameter_note{"l1", "", "L1 cache of the SM", ""},
      parameter_note{"l1_hit_cycles", "cycles", "from a miss of the L0 cache to the line from L1", "inferred"},
      parameter_note{"l1_line_cycles", "cycles", "from one line from L1 to the next: 8 bytes a cycle", measured},
      parameter_note{"l2_hit_cycles", "cycles", "the same from L2; of these, memory cycles are those beyond L1", "inferred"},
      parameter_note{"l2_line_cycles", "cycles", "the same from L2: 16 bytes in 5.5 cycles", measured},
  };
}

void validate(const fetch_parameters& parameters, const std::string& path);

}  // namespace tc::config
