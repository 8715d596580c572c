#pragma once

#include <array>
#include <string>

#include <tc/config/parameter_notes.hpp>

namespace tc::config {

/// The unit of an SM that works on mbarrier objects in shared memory.
struct barrier_unit_parameters {
  unsigned interval_cycles = 2;
  unsigned access_cycles = 8;
  unsigned wake_cycles = 8;
};
BOOST_DESCRIBE_STRUCT(barrier_unit_parameters, (), (interval_cycles, access_cycles, wake_cycles))

inline constexpr auto describe_parameters(const barrier_unit_parameters*) {
  return std::array{
      parameter_note{"interval_cycles", "cycles", "from an operation on an mbarrier to the next one", "inferred"},
      parameter_note{"access_cycles", "cycles", "from the arrival of an operation to its answer", "inferred"},
      parameter_note{"wake_cycles", "cycles", "from the answer that completes a phase to the answers of those who wait for it", "inferred"},
  };
}

void validate(const barrier_unit_parameters& parameters, const std::string& path);

/// The engine of an SM that copies between global and shared memory (the tensor memory accelerator).
struct bulk_copy_parameters {
  unsigned start_cycles = 100;
  unsigned requests_in_flight = 256;
  unsigned bytes_per_cycle = 64;
  unsigned complete_cycles = 10;
};
BOOST_DESCRIBE_STRUCT(bulk_copy_parameters, (), (start_cycles, requests_in_flight, bytes_per_cycle, complete_cycles))

inline constexpr auto describe_parameters(const bulk_copy_parameters*) {
  return std::array{
      parameter_note{"start_cycles", "cycles", "from the arrival of a copy to its first request", "inferred"},
      parameter_note{"requests_in_flight", "requests", "lines of global memory that are on their way at a time", "inferred"},
      parameter_note{"bytes_per_cycle", "bytes", "bytes that go into or out of shared memory in a cycle", "inferred"},
      parameter_note{"complete_cycles", "cycles", "from the last byte in its place to the mbarrier, or to the bulk group, that is told",
                     "inferred"},
  };
}

void validate(const bulk_copy_parameters& parameters, const std::string& path);

}  // namespace tc::config
