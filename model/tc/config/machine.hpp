// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include <boost/describe/class.hpp>

#include <tc/config/asynchronous_parameters.hpp>
#include <tc/config/cache_parameters.hpp>
#include <tc/config/energy_parameters.hpp>
#include <tc/config/jitter_parameters.hpp>
#include <tc/config/memory_peak_parameters.hpp>
#include <tc/config/parameter_type.hpp>
#include <tc/config/sub_core_parameters.hpp>
#include <tc/config/tensor_engine_parameters.hpp>
#include <tc/config/tensor_memory_parameters.hpp>

namespace tc::config {

struct shared_memory_parameters {
  unsigned bytes = 65536;
  unsigned banks = 32;
  unsigned bank_width_bytes = 4;
  unsigned wavefront_cycles = 1;
  unsigned warp_wavefront_cycles = 2;

  /// What all banks deliver in a cycle.
  unsigned row_bytes() const { return banks * bank_width_bytes; }
};
BOOST_DESCRIBE_STRUCT(shared_memory_parameters, (), (bytes, banks, bank_width_bytes, wavefront_cycles, warp_wavefront_cycles))

inline constexpr auto describe_parameters(const shared_memory_parameters*) {
  return std::array{
      parameter_note{"bytes", "bytes", "capacity of an SM", "NVIDIA CUDA C++ Programming Guide, compute capabilities"},
      parameter_note{"banks", "banks", "banks", "NVIDIA CUDA C++ Programming Guide"},
      parameter_note{"bank_width_bytes", "bytes", "bytes a bank delivers in a cycle", "NVIDIA CUDA C++ Programming Guide"},
      parameter_note{"wavefront_cycles", "cycles", "that a wavefront, a conflict-free part of an access, keeps the banks busy",
                     "measured on an H200: 128 bytes a cycle from several warps"},
      parameter_note{"warp_wavefront_cycles", "cycles", "from one wavefront of a warp to its next one, at least",
                     "recorded on an H200: 2.0 cycles for each further way of a conflict"},
  };
}

void validate(const shared_memory_parameters& parameters, const std::string& path);

/// BAR of a CTA.
struct barrier_parameters {
  unsigned release_cycles = 14;
  unsigned arrive_only_cycles = 10;
};
BOOST_DESCRIBE_STRUCT(barrier_parameters, (), (release_cycles, arrive_only_cycles))

inline constexpr auto describe_parameters(const barrier_parameters*) {
  return std::array{
      parameter_note{"release_cycles", "cycles", "from the arrival of the last warp to the first waiting instruction",
                     "recorded on an H200"},
      parameter_note{"arrive_only_cycles", "cycles", "that an arrival which does not wait (BAR.ARV) comes later than one that does",
                     "measured on an H100: waiting warps go on 24 cycles after the last BAR.ARV, 14 after the last BAR.SYNC"},
  };
}

struct sm_parameters {
  unsigned sub_cores = 4;
  unsigned max_warps = 32;
  unsigned max_ctas = 16;
  sub_core_parameters sub_core{};
  shared_memory_parameters shared_memory{};
  barrier_parameters barrier{};
  barrier_unit_parameters barrier_unit{};
  bulk_copy_parameters bulk_copy{};
  warpgroup_parameters warpgroup{};
  tensor_memory_parameters tensor_memory{};
  tensor_engine_parameters tensor_engine{};
};
BOOST_DESCRIBE_STRUCT(sm_parameters, (),
                      (sub_cores, max_warps, max_ctas, sub_core, shared_memory, barrier, barrier_unit, bulk_copy, warpgroup, tensor_memory,
                       tensor_engine))

inline constexpr auto describe_parameters(const sm_parameters*) {
  constexpr const char* guide = "NVIDIA CUDA C++ Programming Guide, compute capabilities";
  return std::array{
      parameter_note{"sub_cores", "sub-cores", "sub-cores; warp w runs on sub-core w modulo this",
                     "Jia et al., arXiv 1804.06826, table 2.1"},
      parameter_note{"max_warps", "warps", "warps resident at a time", guide},
      parameter_note{"max_ctas", "CTAs", "CTAs resident at a time", guide},
      parameter_note{"sub_core", "", "every sub-core", ""},
      parameter_note{"shared_memory", "", "shared memory", ""},
      parameter_note{"barrier", "", "CTA barrier", ""},
      parameter_note{"barrier_unit", "", "mbarriers, from Hopper on", ""},
      parameter_note{"bulk_copy", "", "bulk copies, from Hopper on", ""},
      parameter_note{"warpgroup", "", "warpgroup matrix instructions", ""},
      parameter_note{"tensor_memory", "", "tensor memory, from Blackwell on", ""},
      parameter_note{"tensor_engine", "", "matrix instructions, copies and shifts on tensor memory", ""},
  };
}

void validate(const sm_parameters& parameters, const std::string& path);

/// What lies behind the SMs. It has a clock of its own: its cycles are those of `clock_mhz`, and SMs of another clock wait for it as long,
/// in more or fewer cycles of theirs (memory_clock.hpp).
struct global_memory_parameters {
  std::optional<double> clock_mhz{};
  unsigned latency_cycles = 300;
  unsigned line_bytes = 128;
  std::uint64_t max_bytes = std::uint64_t{1} << 34;
  memory_hierarchy_parameters hierarchy{};
  memory_peak_parameters peak{};
};
BOOST_DESCRIBE_STRUCT(global_memory_parameters, (), (clock_mhz, latency_cycles, line_bytes, max_bytes, hierarchy, peak))

inline constexpr auto describe_parameters(const global_memory_parameters*) {
  return std::array{
      parameter_note{
          "clock_mhz", "MHz",
          "clock of the L2 cache, address translation and DRAM, whose cycles are as long whatever the SM clock is; null: the SM clock",
          "design: the clock of the SMs in whose cycles they were measured"},
      parameter_note{"latency_cycles", "memory cycles", "from request to response, without the hierarchy",
                     "recorded on an H200: dependent loads that hit the L2 cache"},
      parameter_note{"line_bytes", "bytes", "largest request of the load-store unit, which does not cross a multiple of it",
                     "NVIDIA CUDA C++ Programming Guide"},
      parameter_note{"max_bytes", "bytes",
                     "of the host that pages of 65536 bytes which kernels use may take; past it a kernel ends with an error",
                     "design: twice what the largest products and convolutions that tcsim makes use"},
      parameter_note{"hierarchy", "", "L1 and L2 caches, address translation, DRAM", ""},
      parameter_note{"peak", "", "bandwidths of the part, on which no cycle depends", ""},
  };
}

void validate(const global_memory_parameters& parameters, const std::string& path);

/// Who makes the units that a program may replace: "model", or a name under which the program has registered a maker.
struct unit_parameters {
  std::string dot_products = "model";
  std::string register_bank = "model";
  std::string tensor_memory = "model";
  std::string global_memory = "model";
};
BOOST_DESCRIBE_STRUCT(unit_parameters, (), (dot_products, register_bank, tensor_memory, global_memory))

inline constexpr auto describe_parameters(const unit_parameters*) {
  return std::array{
      parameter_note{"dot_products", "", "who makes the dot-product units of tensor cores: model, or a name that the program registered",
                     "design"},
      parameter_note{"register_bank", "", "who makes the banks of the register files; as before", "design"},
      parameter_note{"tensor_memory", "", "who makes the tensor memory of each SM; as before", "design"},
      parameter_note{"global_memory", "", "who makes global memory; as before", "design"},
  };
}

/// A GPU.
struct machine {
  std::string name = "unnamed";
  std::vector<std::string> architectures{};
  double clock_mhz = 1000;
  unsigned sms = 1;
  sm_parameters sm{};
  global_memory_parameters global_memory{};
  unit_parameters units{};
  std::optional<energy_parameters> energy{};
  jitter_parameters jitter{};
};
BOOST_DESCRIBE_STRUCT(machine, (), (name, architectures, clock_mhz, sms, sm, global_memory, units, energy, jitter))

inline constexpr auto describe_parameters(const machine*) {
  return std::array{
      parameter_note{"name", "", "name of the machine", "design"},
      parameter_note{"architectures", "",
                     "architectures whose traces it runs: instruction sets, with the units and latencies of this machine",
                     "NVIDIA CUDA C++ Programming Guide"},
      parameter_note{"clock_mhz", "MHz", "SM clock; turns cycles into time, and those of the memories into its own", "vendor data sheets"},
      parameter_note{"sms", "SMs", "streaming multiprocessors", "NVIDIA white papers"},
      parameter_note{"sm", "", "every SM", ""},
      parameter_note{"global_memory", "", "global memory", ""},
      parameter_note{"units", "", "who makes units that a program may replace", ""},
      parameter_note{"energy", "", "energy of events; null: none is reported", "design"},
      parameter_note{"jitter", "", "what differs between runs by chance", ""},
  };
}

/// Throws config_error for values that no machine can have; called by load_parameters().
void validate(const machine& parameters, const std::string& path);

}  // namespace tc::config
