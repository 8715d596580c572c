// SPDX-License-Identifier: Apache-2.0
#include "sub_core_parameters.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include <tc/config/opcode_latencies.hpp>
#include <tc/config/validation.hpp>
#include <tc/isa/opcode.hpp>
#include <tc/isa/register_use.hpp>
#include <tc/isa/warp_lanes.hpp>

namespace tc::config {

void validate(const register_file_parameters& parameters, const std::string& path) {
  require(is_power_of_two(parameters.banks) && parameters.banks <= 32, member_path(path, "banks"),
          "must be a power of two of at most 32, is " + std::to_string(parameters.banks));
  require_positive(parameters.read_ports, path, "read_ports");
  require_positive(parameters.write_ports, path, "write_ports");
  require(parameters.warp_registers >= isa::register_numbers, member_path(path, "warp_registers"),
          "must be at least 256, the registers a warp can name");
}

void validate(const reuse_cache_parameters& parameters, const std::string& path) {
  require(parameters.slots <= 3, member_path(path, "slots"), "must be at most 3: instructions have operand slots A, B and C");
}

void validate(const operand_fetch_parameters& parameters, const std::string& path) {
  require(parameters.collector_units <= 1024, member_path(path, "collector_units"), "must be at most 1024");
  require(parameters.policy != "collectors" || parameters.collector_units > 0, member_path(path, "collector_units"),
          "must be positive for the policy \"collectors\"");
  require_positive(parameters.read_window_cycles, path, "read_window_cycles");
  require(parameters.issue_to_dispatch_cycles > parameters.read_window_cycles, member_path(path, "issue_to_dispatch_cycles"),
          "must be more than read_window_cycles, " + std::to_string(parameters.read_window_cycles));
  require(parameters.issue_to_dispatch_cycles <= 64, member_path(path, "issue_to_dispatch_cycles"), "must be at most 64");
  for (const auto& [cycles, member] : {std::pair(parameters.matrix_write_cycles, "matrix_write_cycles"),
                                       std::pair(parameters.matrix_integer_write_cycles, "matrix_integer_write_cycles")})
    require(cycles <= maximum_matrix_write_cycles, member_path(path, member),
            "must be at most " + std::to_string(maximum_matrix_write_cycles));
}

void validate(const pipe_parameters& parameters, const std::string& path) {
  require(is_power_of_two(parameters.lanes) && parameters.lanes <= isa::lanes_per_warp, member_path(path, "lanes"),
          "must be 1, 2, 4, 8, 16 or 32, is " + std::to_string(parameters.lanes));
  require_positive(parameters.latency_cycles, path, "latency_cycles");
  for (const auto& [name, cycles] : parameters.opcode_latency_cycles) {
    const auto key = member_path(member_path(path, "opcode_latency_cycles"), name);
    const auto named = opcode_with_form::find(name);
    require(named.has_value(), key, "is not an opcode, alone or with .WIDE, .32 or .MMA");
    require(isa::unit_of(named->op) != isa::execution_unit::tensor, key,
            "is a tensor instruction: its latency follows from the tensor core's structure");
    require(cycles > 0, key, "must be positive");
  }
}

void validate(const load_store_parameters& parameters, const std::string& path) {
  require_positive(parameters.queue_entries, path, "queue_entries");
  require_positive(parameters.shared_access_cycles, path, "shared_access_cycles");
  require_positive(parameters.global_access_cycles, path, "global_access_cycles");
}

}  // namespace tc::config
