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
      parameter_note{"l2_hit_cycles", "cycles",
                     "what a constant from L2 takes longer than one from L1; of these, memory cycles are those beyond L1.5", volta},
  };
}

void validate(const constant_cache_parameters& parameters, const std::string& path);

/// Translation of addresses behind the L1 caches, which are looked up with virtual addresses (Jia et al., arXiv 1804.06826, section 3.2).
struct translation_parameters {
  unsigned entries = 256;
  unsigned page_kib = 32768;
  unsigned miss_cycles = 654;
};
BOOST_DESCRIBE_STRUCT(translation_parameters, (), (entries, page_kib, miss_cycles))

inline constexpr auto describe_parameters(const translation_parameters*) {
  return std::array{
      parameter_note{"entries", "pages", "pages whose translation is kept; fully associative",
                     "Jia et al., arXiv 1804.06826, table 3.1: the L2 TLB covers about 8192 MiB"},
      parameter_note{"page_kib", "KiB", "memory of an entry", "Jia et al., arXiv 1804.06826, table 3.1: the L2 TLB's entries"},
      parameter_note{"miss_cycles", "memory cycles", "what a translation that is not kept adds",
                     "Jia et al., arXiv 1804.06826, figure 3.2: 1029 cycles at first touch, 375 with the translation"},
  };
}

void validate(const translation_parameters& parameters, const std::string& path);

/// Caches in front of global memory: an L1 cache of each SM, and address translation and an L2 cache of the GPU. Cycles are from a
/// request's arrival to its response; those of the L1 cache are the SM's, all others of global_memory.clock_mhz.
struct memory_hierarchy_parameters {
  bool enabled = false;
  cache_parameters l1{32768, 64, 128, 32};
  unsigned l1_hit_cycles = 8;
  translation_parameters translation{};
  cache_parameters l2{6291456, 16, 64, 64};
  unsigned l2_hit_cycles = 173;
  unsigned l2_miss_cycles = 355;
};
BOOST_DESCRIBE_STRUCT(memory_hierarchy_parameters, (), (enabled, l1, l1_hit_cycles, translation, l2, l2_hit_cycles, l2_miss_cycles))

inline constexpr auto describe_parameters(const memory_hierarchy_parameters*) {
  constexpr const char* volta = "Jia et al., arXiv 1804.06826, table 3.1 and figure 3.2, less global_pipeline_cycles";
  return std::array{
      parameter_note{"enabled", "", "whether there are caches; without, every access takes latency_cycles", "design"},
      parameter_note{"l1", "", "L1 cache of an SM; written through, without room for what is only written", ""},
      parameter_note{"l1_hit_cycles", "cycles", "when the L1 cache has the sector", volta},
      parameter_note{"translation", "", "translation buffer of the GPU", ""},
      parameter_note{"l2", "", "L2 cache of the GPU", ""},
      parameter_note{"l2_hit_cycles", "memory cycles", "when the L2 cache has it", volta},
      parameter_note{"l2_miss_cycles", "memory cycles", "when it comes from DRAM", volta},
  };
}

void validate(const memory_hierarchy_parameters& parameters, const std::string& path);

}  // namespace tc::config
