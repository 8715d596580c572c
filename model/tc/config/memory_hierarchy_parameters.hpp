// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>

#include <boost/describe/class.hpp>

#include <tc/config/cache_parameters.hpp>
#include <tc/config/parameter_type.hpp>

namespace tc::config {

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
      parameter_note{"miss_cycles", "cycles", "what a translation that is not kept adds",
                     "Jia et al., arXiv 1804.06826, figure 3.2: 1029 cycles at first touch, 375 with the translation"},
  };
}

void validate(const translation_parameters& parameters, const std::string& path);

/// Caches in front of global memory: an L1 cache of each SM, and address translation and an L2 cache of the GPU. Cycles are from a
/// request's arrival to its response.
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
      parameter_note{"l2_hit_cycles", "cycles", "when the L2 cache has it", volta},
      parameter_note{"l2_miss_cycles", "cycles", "when it comes from DRAM", volta},
  };
}

void validate(const memory_hierarchy_parameters& parameters, const std::string& path);

}  // namespace tc::config
