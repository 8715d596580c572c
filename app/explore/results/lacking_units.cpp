// SPDX-License-Identifier: Apache-2.0
#include "lacking_units.hpp"

#include <array>
#include <string>
#include <string_view>
#include <utility>

namespace tcsim {

namespace {

namespace json = boost::json;

/// Whether there is something else than false at a place.
bool has(const json::value& root, std::string_view pointer) {
  json::error_code missing;
  const json::value* const found = root.find_pointer(pointer, missing);
  return found != nullptr && !(found->is_bool() && !found->get_bool());
}

/// What tells whether a machine has a unit.
struct machine_facts {
  const json::value& summary;
  const json::value& configuration;

  bool has_unit(std::string_view kind) const { return has(summary, "/units" + std::string(kind)); }
  bool has_collectors() const { return has_unit("/sub_core/operand_fetch/gather_cycles"); }
  /// Collectors leave it empty, since units behind them finish in any order.
  bool has_reuse_cache() const { return !has_collectors() && has(configuration, "/sm/sub_core/reuse_cache/enabled"); }
};

/// A count that only some machines can have.
struct conditional_count {
  std::string_view group;  ///< of the statistics, as a JSON pointer
  std::string_view key;    ///< in the group
  bool (*is_there)(const machine_facts& machine);
};

const std::array conditional_counts{
    conditional_count{"/stalls", "warpgroup_wait", [](const machine_facts& machine) { return machine.has_unit("/sub_core/warpgroup"); }},
    conditional_count{"/stalls", "mbarrier_wait", [](const machine_facts& machine) { return machine.has_unit("/barrier_unit"); }},
    conditional_count{"/stalls", "bulk_wait", [](const machine_facts& machine) { return machine.has_unit("/bulk_copy"); }},
    conditional_count{"/stalls", "tensor_memory_wait", [](const machine_facts& machine) { return machine.has_unit("/tensor_memory"); }},
    conditional_count{"/stalls", "tensor_allocation", [](const machine_facts& machine) { return machine.has_unit("/tensor_memory"); }},
    conditional_count{"/stalls", "tensor_queue", [](const machine_facts& machine) { return machine.has_unit("/tensor_engine"); }},
    conditional_count{"/stalls", "collector_full", [](const machine_facts& machine) { return machine.has_collectors(); }},
    conditional_count{"/units/sub_core/operand_fetch", "reuse_hits",
                      [](const machine_facts& machine) { return machine.has_reuse_cache(); }},
};

}  // namespace

void remove_lacking_units(json::object& summary, const json::object& configuration) {
  json::value all = std::move(summary);
  const json::value machine = configuration;
  for (const conditional_count& count : conditional_counts) {
    if (count.is_there({all, machine})) continue;
    json::error_code missing;
    json::value* const group = all.find_pointer(count.group, missing);
    if (group != nullptr && group->is_object()) group->get_object().stable_erase(count.key);
  }
  summary = std::move(all.get_object());
}

}  // namespace tcsim
