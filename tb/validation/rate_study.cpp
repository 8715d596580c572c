// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "matrix_rate.hpp"
#include "studies.hpp"

namespace tc::validation {

study rate_study(const std::string& generation, const std::vector<std::string>& machines) {
  study result(
      {generation, "peak rates", "NVIDIA white papers",
       "Two warps on each sub-core issue nothing but one matrix instruction on independent accumulators. The paper's rate is that of its "
       "SMs and its boost clock; HMMA on an H100 is given two thirds of it: what six cycles an instruction leave of its units' four. Unit "
       "counts are from the same papers; that a kernel reaches what they give is predicted.",
       "tera-operations per second", 1});
  for (const silicon::matrix_rate& rate : silicon::published_rates()) {
    if (std::find(machines.begin(), machines.end(), rate.stream.machine) == machines.end()) continue;
    result.add({fmt::format("{} {}", rate.part, rate.stream.instruction), rate.tera}, [rate] { return silicon::tera_operations(rate); });
  }
  return result;
}

}  // namespace tc::validation
