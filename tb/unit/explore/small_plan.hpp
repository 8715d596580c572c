// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <fmt/format.h>

#include "result_store.hpp"

namespace tcsim::test {

/// A plan of one axis, `banks`, with the values 0 to `points` - 1, a run for each. Half of the runs have the same configuration.
inline sweep_plan small_plan(std::size_t points) {
  sweep_plan plan;
  plan.name = "small";
  plan.source = "{}";
  plan.base = "turing";
  plan.base_configuration = "{}";
  plan.axes = {{"banks", "sm.sub_core.register_file.banks", "banks", "banks of the register file"}};
  plan.metrics = {{"cycles", metric::origin::statistic, "cycles", "cycles"},
                  {"waits", metric::origin::statistic, "stalls.wait_mask"},
                  {"per_bank", metric::origin::expression, "cycles * 1.0 / nullif(banks, 0)"}};
  for (std::size_t i = 0; i < points; ++i) {
    plan.runs.push_back(
        {fmt::format("key-{}", i), "gemm", "gemm", fmt::format(R"({{"size":{}}})", i), fmt::format(R"({{"sms":{}}})", i / 2)});
    plan.points.push_back({i, {std::int64_t(i)}, i});
  }
  return plan;
}

/// A run that took so many cycles.
inline finished_run done_in(int cycles) {
  return {0, "", fmt::format(R"({{"cycles":{},"stalls":{{"wait_mask":1}}}})", cycles), "", {0.5, 0.25, 1000}};
}

}  // namespace tcsim::test
