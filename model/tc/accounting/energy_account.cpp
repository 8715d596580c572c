// SPDX-License-Identifier: Apache-2.0
#include "energy_account.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>
#include <utility>

#include <systemc>

#include <tc/accounting/object_path.hpp>
#include <tc/config/described_type.hpp>
#include <tc/fabric/statistics.hpp>

namespace tc::accounting {

const std::vector<energy_counter>& energy_counters() {
  static const std::vector<energy_counter> counters{
      {"instruction", "scheduler", "issued"},
      {"register_read", "operand_fetch", "registers_read"},
      {"register_read", "warpgroup", "accumulators_read"},
      {"register_read", "sub_core.tensor_memory", "registers_read"},
      {"register_write", "write_back", "registers_written"},
      {"register_write", "warpgroup", "accumulators_written"},
      {"register_write", "sub_core.tensor_memory", "registers_written"},
      {"reuse_hit", "operand_fetch", "reuse_hits"},
      {"a_fill_byte", "tensor_core", "a_bytes_filled"},
      {"b_fill_byte", "b_buffer", "bytes_filled"},
      {"accumulator_fill_byte", "tensor_core", "accumulator_bytes_filled"},
      {"multiply_accumulate", "tensor", "multiply_accumulates_of"},
      {"multiply_accumulate", "warpgroup", "multiply_accumulates_of"},
      {"multiply_accumulate", "tensor_engine.matrices", "multiply_accumulates_of"},
      {"shared_memory_byte", "shared_memory", "bytes_read"},
      {"shared_memory_byte", "shared_memory", "bytes_written"},
      {"global_memory_byte", "global_memory", "bytes_read"},
      {"global_memory_byte", "global_memory", "bytes_written"},
      {"l1_byte", "global_memory", "l1_bytes"},
      {"l2_byte", "global_memory", "l2_bytes"},
      {"dram_byte", "global_memory", "dram_bytes"},
      {"tensor_memory_byte", "tensor_memory.chunk", "bytes_read"},
      {"tensor_memory_byte", "tensor_memory.chunk", "bytes_written"},
      {"tensor_memory_byte", "tensor_memory.chunk", "engine_bytes_read"},
      {"tensor_memory_byte", "tensor_memory.chunk", "engine_bytes_written"},
      {"tensor_memory_byte", "tensor_memory.chunk", "bytes_shifted"},
      {"constant_pass", "constant", "passes"},
      {"sm_cycle", "sm", ""},
  };
  return counters;
}

namespace {

/// An event of the configuration: picojoules of each, all alike or by part of the statistic.
struct event {
  std::string_view name;
  std::map<std::string, double, std::less<>> of_part{};
  double of_all = 0;

  event(std::string_view event_name, double picojoules) : name(event_name), of_all(picojoules) {}
  event(std::string_view event_name, const std::map<std::string, double>& picojoules)
      : name(event_name), of_part(picojoules.begin(), picojoules.end()) {}

  double picojoules(std::string_view part) const {
    const auto found = of_part.find(part);
    return found == of_part.end() ? of_all : found->second;
  }
};

std::vector<event> events_of(const config::energy_parameters& parameters) {
  std::vector<event> events;
  config::for_each_member<config::energy_parameters>([&](auto member) { events.emplace_back(member.name, parameters.*member.pointer); });
  return events;
}

class energy_collector final : public fabric::statistics_sink {
 public:
  energy_collector(const config::machine& machine, fabric::cycle_t cycles)
      : events_(events_of(machine.energy.value())), has_caches_(machine.global_memory.hierarchy.enabled), cycles_(cycles) {
    for (const event& each : events_) account_.events.push_back({std::string(each.name)});
    fabric::collect_statistics(*this);
    for (const energy_account::share& share : account_.events) account_.total_nanojoules += share.nanojoules;
  }

  energy_account take() { return std::move(account_); }

  void begin_object(std::string_view path) override {
    path_ = path;
    nanojoules_ = 0;
    counters_.clear();
    for (const energy_counter& counter : energy_counters()) {
      if (!ends_in(path, counter.object) || (has_caches_ && counter.event == "global_memory_byte")) continue;
      if (counter.statistic.empty())
        add(counter.event, cycles_, {});
      else
        counters_.push_back(&counter);
    }
  }

  void record(const fabric::statistic& value) override {
    for (const energy_counter* counter : counters_)
      if (counter->statistic == value.name) add(counter->event, value.value, value.part);
  }

  void end_object() override {
    if (nanojoules_ > 0) account_.units.push_back({std::string(path_), nanojoules_});
  }

 private:
  void add(std::string_view name, std::uint64_t count, std::string_view part) {
    const auto found = std::find_if(events_.begin(), events_.end(), [&](const event& each) { return each.name == name; });
    sc_assert(found != events_.end());
    const double nanojoules = static_cast<double>(count) * found->picojoules(part) / 1000;
    nanojoules_ += nanojoules;
    account_.events[static_cast<std::size_t>(found - events_.begin())].nanojoules += nanojoules;
  }

  const std::vector<event> events_;
  const bool has_caches_;
  const fabric::cycle_t cycles_;
  std::string_view path_;  ///< of the running object
  std::vector<const energy_counter*> counters_;
  double nanojoules_ = 0;  ///< of the running object
  energy_account account_;
};

}  // namespace

energy_account account_energy(const config::machine& machine, fabric::cycle_t cycles) { return energy_collector(machine, cycles).take(); }

}  // namespace tc::accounting
