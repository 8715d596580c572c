// SPDX-License-Identifier: Apache-2.0
#include "instruction_row.hpp"

#include "recorded_run.hpp"

namespace tc::silicon {

namespace {

listing repeated(const listing& instructions, unsigned times) {
  listing code{"CS2R R2, SR_CLOCKLO"};
  for (unsigned i = 0; i < times; ++i) code.insert(code.end(), instructions.begin(), instructions.end());
  code.emplace_back("CS2R R4, SR_CLOCKLO");
  return code;
}

}  // namespace

double cycles_per_instruction(const std::string& machine, const std::string& arch, const listing& instructions) {
  // What the clock reads add is in both rows and cancels.
  constexpr unsigned few = 32, many = 96;
  const auto cycles =
      clock_differences(run_listings(arch, {repeated(instructions, few), repeated(instructions, many)}, machine_of(machine)));
  return static_cast<double>(cycles.at(1) - cycles.at(0)) / (static_cast<double>(many - few) * static_cast<double>(instructions.size()));
}

}  // namespace tc::silicon
