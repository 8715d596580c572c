// SPDX-License-Identifier: Apache-2.0
#include "warpgroup_parameters.hpp"

#include <utility>

#include <tc/config/validation.hpp>

namespace tc::config {

void validate(const warpgroup_parameters& parameters, const std::string& path) {
  require_at_most(parameters.operand_tiles, 64, path, "operand_tiles");
  require_positive(parameters.queue_entries, path, "queue_entries");
  require_at_most(parameters.queue_entries, 1024, path, "queue_entries");
  require_positive(parameters.start_cycles, path, "start_cycles");
  require_positive(parameters.register_fill_cycles, path, "register_fill_cycles");
  for (const auto& [value, member] :
       {std::pair{parameters.start_cycles, "start_cycles"}, std::pair{parameters.register_fill_cycles, "register_fill_cycles"},
        std::pair{parameters.register_interval_cycles, "register_interval_cycles"}})
    require_at_most(value, 1000, path, member);
}

}  // namespace tc::config
