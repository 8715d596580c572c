// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>

#include <boost/describe/class.hpp>

#include <tc/config/parameter_type.hpp>

namespace tc::config {

/// tcgen05.cp.
struct tensor_copy_parameters {
  unsigned warp_bytes_per_cycle = 32;
  unsigned bytes_per_cycle = 64;
  unsigned start_cycles = 4;
};
BOOST_DESCRIBE_STRUCT(tensor_copy_parameters, (), (warp_bytes_per_cycle, bytes_per_cycle, start_cycles))

inline constexpr auto describe_parameters(const tensor_copy_parameters*) {
  return std::array{
      parameter_note{"warp_bytes_per_cycle", "bytes", "of shared memory that the copies of one warp move in a cycle",
                     "measured on a B200, public SASS documentation project"},
      parameter_note{"bytes_per_cycle", "bytes", "of shared memory that all copies move in a cycle",
                     "measured on a B200, public SASS documentation project"},
      parameter_note{"start_cycles", "cycles", "from the arrival of a copy at the engine to its first access to shared memory",
                     "fitted to a copy of 4 KiB and a commit, 168 cycles on a B200 (third-party notes)"},
  };
}

void validate(const tensor_copy_parameters& parameters, const std::string& path);

/// Matrix instructions of a pair of SMs (.cta_group::2).
struct tensor_pair_parameters {
  unsigned start_cycles = 34;
  unsigned split_cycles = 8;
  unsigned exchange_cycles = 3;
};
BOOST_DESCRIBE_STRUCT(tensor_pair_parameters, (), (start_cycles, split_cycles, exchange_cycles))

inline constexpr auto describe_parameters(const tensor_pair_parameters*) {
  constexpr const char* intervals = "fitted to published latencies and intervals of a B200 (SemiAnalysis, microbench-blackwell)";
  return std::array{
      parameter_note{"start_cycles", "cycles", "by which the products of a pair begin later than those of one SM", intervals},
      parameter_note{"split_cycles", "cycles", "by which they begin later still if the pair shares 128 rows", intervals},
      parameter_note{"exchange_cycles", "cycles",
                     "for each 128 rows of A from shared memory, in which the halves of B that the SMs exchange hold up the feed",
                     intervals},
  };
}

void validate(const tensor_pair_parameters& parameters, const std::string& path);

/// The engine of an SM for tcgen05.mma, cp, shift and commit. How long an instruction takes, and how soon the next one starts, follow from
/// the widths of shared memory and tensor memory, the outputs and these.
struct tensor_engine_parameters {
  unsigned queue_entries = 6;
  unsigned operand_tiles = 2;
  unsigned outputs_per_cycle = 256;
  unsigned start_cycles = 19;
  unsigned interval_cycles = 18;
  unsigned restart_cycles = 12;
  unsigned accumulator_read_stages = 40;
  unsigned accumulator_write_stages = 6;
  unsigned commit_cycles = 1;
  tensor_copy_parameters copy{};
  tensor_pair_parameters pair{};
};
BOOST_DESCRIBE_STRUCT(tensor_engine_parameters, (),
                      (queue_entries, operand_tiles, outputs_per_cycle, start_cycles, interval_cycles, restart_cycles,
                       accumulator_read_stages, accumulator_write_stages, commit_cycles, copy, pair))

inline constexpr auto describe_parameters(const tensor_engine_parameters*) {
  constexpr const char* project = "measured on a B200, public SASS documentation project";
  return std::array{
      parameter_note{"queue_entries", "instructions", "of the warps of a sub-core that wait for the engine before the warps stall",
                     project},
      parameter_note{
          "operand_tiles", "tiles",
          "matrix instructions whose operands from shared memory have room: 2: those of the next one come while this one computes",
          "design: ping-pong"},
      parameter_note{"outputs_per_cycle", "elements",
                     "of D that are computed in a cycle, each from 32 bytes of a row of A and a column of B",
                     "published rates of a B200 (SemiAnalysis, microbench-blackwell)"},
      parameter_note{"start_cycles", "cycles",
                     "from the arrival of a matrix instruction at the engine to its first access to shared memory",
                     "fitted to m128n256, A in tensor memory: 232 cycles on a B200 (SemiAnalysis, microbench-blackwell)"},
      parameter_note{"interval_cycles", "cycles", "from one matrix instruction to the next, at least",
                     "m128n64 of two CTAs, A in tensor memory: 18 cycles on a B200 (SemiAnalysis, microbench-blackwell)"},
      parameter_note{"restart_cycles", "cycles", "by which the second of a batch of matrix instructions begins later",
                     "fitted to batches on a B200: (d - 1) intervals + a latency + 12 cycles (SemiAnalysis, microbench-blackwell)"},
      parameter_note{"accumulator_read_stages", "cycles", "from the products of a column to the read of its accumulators", project},
      parameter_note{"accumulator_write_stages", "cycles", "from the read of accumulators to their write", project},
      parameter_note{"commit_cycles", "cycles", "from the last of what a commit waits for to the arrival at the mbarrier",
                     "design: together with start_cycles it is fitted to a latency"},
      parameter_note{"copy", "", "copies from shared to tensor memory", ""},
      parameter_note{"pair", "", "pairs of SMs", ""},
  };
}

void validate(const tensor_engine_parameters& parameters, const std::string& path);

}  // namespace tc::config
