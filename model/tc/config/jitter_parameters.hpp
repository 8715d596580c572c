// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include <boost/describe/class.hpp>

#include <tc/config/parameter_type.hpp>

namespace tc::config {

/// What two runs of one kernel differ in on silicon, and no program can rely on. Only what dependence counters, barriers and queues wait
/// for is varied; fixed latencies, which the stall counts of a compiler rely on, stay as they are. So values stay as they are, too.
struct jitter_parameters {
  std::uint64_t seed = 0;
  unsigned start_cycles = 1;
  unsigned latency_cycles = 1;
  bool ties = true;

  bool is_on() const { return seed != 0; }
};
BOOST_DESCRIBE_STRUCT(jitter_parameters, (), (seed, start_cycles, latency_cycles, ties))

inline constexpr auto describe_parameters(const jitter_parameters*) {
  return std::array{
      parameter_note{"seed", "seed", "0: no run differs from another; any other number: one of the runs that differ in what follows",
                     "design"},
      parameter_note{"start_cycles", "cycles", "by which CTAs and their warps start later, at most", "design"},
      parameter_note{"latency_cycles", "cycles", "by which accesses to shared and to global memory are answered later, at most", "design"},
      parameter_note{"ties", "",
                     "whether chance decides what only a number does: which of the warps that were launched together counts as the younger "
                     "one, and which of the accesses that reach shared memory together comes first",
                     "design"},
  };
}

void validate(const jitter_parameters& parameters, const std::string& path);

}  // namespace tc::config
