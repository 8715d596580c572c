// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>

#include <boost/describe/class.hpp>

#include <tc/config/parameter_type.hpp>

namespace tc::config {

/// What the memories of the part deliver at most. The model has no limit of bandwidth: no cycle depends on these. They are for telling
/// which runs draw more in their time than the part has (accounting::excess_traffic).
struct memory_peak_parameters {
  std::optional<double> dram_gb_per_second{};
  std::optional<double> l2_bytes_per_cycle{};
};
BOOST_DESCRIBE_STRUCT(memory_peak_parameters, (), (dram_gb_per_second, l2_bytes_per_cycle))

inline constexpr auto describe_parameters(const memory_peak_parameters*) {
  return std::array{
      parameter_note{"dram_gb_per_second", "GB/s", "most that passes between the part and its DRAM; null: not known, and nothing is said",
                     "vendor data sheets"},
      parameter_note{"l2_bytes_per_cycle", "bytes",
                     "most that all SMs of the part read from the L2 cache in a memory cycle; null: not known, and nothing is said",
                     "NVIDIA A100 white paper, or measured"},
  };
}

void validate(const memory_peak_parameters& parameters, const std::string& path);

}  // namespace tc::config
