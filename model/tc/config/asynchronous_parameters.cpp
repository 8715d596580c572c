// SPDX-License-Identifier: Apache-2.0
#include "asynchronous_parameters.hpp"

#include <utility>

#include <tc/config/validation.hpp>

namespace tc::config {

void validate(const barrier_unit_parameters& parameters, const std::string& path) {
  require(parameters.interval_cycles > 0, member_path(path, "interval_cycles"), "must be positive");
  require(parameters.access_cycles > 0, member_path(path, "access_cycles"), "must be positive");
  require(parameters.wake_cycles > 0, member_path(path, "wake_cycles"), "must be positive");
}

void validate(const bulk_copy_direction_parameters& parameters, const std::string& path) {
  require(parameters.start_cycles > 0, member_path(path, "start_cycles"), "must be positive");
  require(parameters.interval_cycles > 0, member_path(path, "interval_cycles"), "must be positive");
  require(parameters.bytes_per_cycle > 0 && parameters.bytes_per_cycle <= 4096, member_path(path, "bytes_per_cycle"),
          "must be from 1 to 4096");
  require(parameters.complete_cycles > 0, member_path(path, "complete_cycles"), "must be positive");
}

void validate(const bulk_copy_parameters& parameters, const std::string& path) {
  require(parameters.requests_in_flight > 0 && parameters.requests_in_flight <= 4096, member_path(path, "requests_in_flight"),
          "must be from 1 to 4096");
  validate(parameters.load, member_path(path, "load"));
  validate(parameters.store, member_path(path, "store"));
}

void validate(const warpgroup_parameters& parameters, const std::string& path) {
  require_at_most(parameters.operand_tiles, 64, path, "operand_tiles");
  require_positive(parameters.queue_entries, path, "queue_entries");
  require_at_most(parameters.queue_entries, 1024, path, "queue_entries");
  require_positive(parameters.start_cycles, path, "start_cycles");
  require_positive(parameters.register_fill_cycles, path, "register_fill_cycles");
  for (const auto& [value, member] :
       {std::pair{parameters.start_cycles, "start_cycles"}, std::pair{parameters.register_fill_cycles, "register_fill_cycles"},
        std::pair{parameters.register_interval_cycles, "register_interval_cycles"},
        std::pair{parameters.warp_turn_cycles, "warp_turn_cycles"}})
    require_at_most(value, 1000, path, member);
  require_at_most(parameters.warp_wait_cycles, 1000000, path, "warp_wait_cycles");
}

}  // namespace tc::config
