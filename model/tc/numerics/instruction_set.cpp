// SPDX-License-Identifier: Apache-2.0
#include "instruction_set.hpp"

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include <fmt/format.h>

namespace tc::numerics {

namespace {

bool executes([[maybe_unused]] instruction_set set) {
#ifdef TC_X86_KERNELS
  if (set == instruction_set::avx2) return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
  if (set == instruction_set::avx512) {
    return __builtin_cpu_supports("avx512f") != 0 && __builtin_cpu_supports("avx512bw") != 0 && __builtin_cpu_supports("avx512dq") != 0 &&
           __builtin_cpu_supports("avx512vl") != 0 && __builtin_cpu_supports("fma") != 0;
  }
#endif
  return set == instruction_set::portable;
}

}  // namespace

std::string_view name(instruction_set set) {
  switch (set) {
    case instruction_set::portable:
      return "portable";
    case instruction_set::avx2:
      return "avx2";
    case instruction_set::avx512:
      return "avx512";
  }
  return {};
}

std::vector<instruction_set> instruction_sets() {
  std::vector<instruction_set> sets;
  for (const instruction_set set : {instruction_set::portable, instruction_set::avx2, instruction_set::avx512}) {
    if (executes(set)) sets.push_back(set);
  }
  return sets;
}

instruction_set find_instruction_set(std::string_view text) {
  const std::vector<instruction_set> here = instruction_sets();
  const auto found = std::find_if(here.begin(), here.end(), [text](instruction_set set) { return name(set) == text; });
  if (found != here.end()) return *found;
  std::string names;
  for (const instruction_set set : here) names.append(names.empty() ? "" : ", ").append(name(set));
  throw std::invalid_argument(fmt::format("\"{}\" is no set of instructions that this machine executes; there are: {}", text, names));
}

instruction_set chosen_instruction_set() {
  static const instruction_set chosen = [] {
    const char* const named = std::getenv("TCSIM_INSTRUCTION_SET");
    return named != nullptr && *named != '\0' ? find_instruction_set(named) : instruction_sets().back();
  }();
  return chosen;
}

}  // namespace tc::numerics
