// SPDX-License-Identifier: Apache-2.0
#include "tensor_engine_parameters.hpp"

#include <utility>

#include <tc/config/validation.hpp>

namespace tc::config {

namespace {

constexpr unsigned max_cycles = 10000;

/// Elements of a column of D in all lanes.
constexpr unsigned column_outputs = 128;

}  // namespace

void validate(const tensor_copy_parameters& parameters, const std::string& path) {
  for (const auto& [value, member] :
       {std::pair{parameters.warp_bytes_per_cycle, "warp_bytes_per_cycle"}, std::pair{parameters.bytes_per_cycle, "bytes_per_cycle"}})
    require(value >= 16 && value <= 128 && value % 16 == 0, member_path(path, member), "must be a multiple of 16 from 16 to 128");
  require_at_most(parameters.start_cycles, max_cycles, path, "start_cycles");
}

void validate(const tensor_pair_parameters& parameters, const std::string& path) {
  for (const auto& [value, member] :
       {std::pair{parameters.start_cycles, "start_cycles"}, std::pair{parameters.split_cycles, "split_cycles"},
        std::pair{parameters.exchange_cycles, "exchange_cycles"}})
    require_at_most(value, max_cycles, path, member);
}

void validate(const tensor_engine_parameters& parameters, const std::string& path) {
  require_positive(parameters.queue_entries, path, "queue_entries");
  require_at_most(parameters.queue_entries, 1024, path, "queue_entries");
  require_positive(parameters.operand_tiles, path, "operand_tiles");
  require_at_most(parameters.operand_tiles, 64, path, "operand_tiles");
  require(parameters.outputs_per_cycle > 0 && parameters.outputs_per_cycle % column_outputs == 0 && parameters.outputs_per_cycle <= 4096,
          member_path(path, "outputs_per_cycle"), "must be a multiple of 128, one column of every lane, of at most 4096");
  require_positive(parameters.start_cycles, path, "start_cycles");
  require_positive(parameters.commit_cycles, path, "commit_cycles");
  for (const auto& [value, member] :
       {std::pair{parameters.start_cycles, "start_cycles"}, std::pair{parameters.interval_cycles, "interval_cycles"},
        std::pair{parameters.restart_cycles, "restart_cycles"}, std::pair{parameters.accumulator_read_stages, "accumulator_read_stages"},
        std::pair{parameters.accumulator_write_stages, "accumulator_write_stages"}, std::pair{parameters.commit_cycles, "commit_cycles"}})
    require_at_most(value, max_cycles, path, member);
}

}  // namespace tc::config
