// SPDX-License-Identifier: Apache-2.0
#include <exception>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <systemc>

#include <tc/config/presets.hpp>
#include <tc/device/gpu.hpp>
#include <tc/trace/trace.hpp>

#include "counting_tensor_memory.hpp"
#include "mirrored_bank.hpp"
#include "paged_memory.hpp"
#include "zero_counting_units.hpp"

// units KERNEL MACHINE [KEY=VALUE]...
//
// Runs a kernel on the machine of a configuration, a file or a built-in one, as it is ("own"), and beside it on the same machine with
// assignments to the configuration ("mine"), which may name the units below. Prints what came out, and the statistics of these units.

namespace {

/// The names that a configuration may use.
tc::device::unit_registry our_units() {
  tc::device::unit_registry registry;
  registry.dot_products["zero_counting"] = [](const char* name, const tc::links::dot_product_site& site) {
    auto unit = std::make_unique<zero_counting_units>(name, site);
    tc::links::made_dot_products made;
    made.sockets = {&unit->products};
    made.module = std::move(unit);
    return made;
  };
  registry.register_bank["mirrored"] = [](const char* name, const tc::links::register_bank_site& site) {
    auto unit = std::make_unique<mirrored_bank>(name, site);
    tc::links::made_memory made;
    made.sockets = {&unit->read, &unit->write, &unit->accumulator};
    made.module = std::move(unit);
    return made;
  };
  registry.tensor_memory["counting"] = [](const char* name, const tc::links::tensor_memory_site& site) {
    auto unit = std::make_unique<counting_tensor_memory>(name, site);
    tc::links::made_memory made;
    for (auto& link : unit->link) made.sockets.push_back(&link);
    made.module = std::move(unit);
    return made;
  };
  registry.global_memory["paged"] = [](const char* name, const tc::links::global_memory_site& site) {
    auto unit = std::make_unique<paged_memory>(name, site);
    tc::links::made_memory made;
    for (auto& link : unit->link) made.sockets.push_back(&link);
    made.module = std::move(unit);
    return made;
  };
  return registry;
}

/// Sums of all statistics of the two machines, by the kind of the unit.
class statistics_of_two final : public tc::fabric::statistics_sink {
 public:
  void begin_object(std::string_view path) override {
    machine_ = path.substr(0, path.find('.'));
    unit_ = path.substr(path.rfind('.') + 1);
    unit_.erase(unit_.find_last_not_of("_0123456789") + 1);
  }
  void end_object() override {}
  void record(const tc::fabric::statistic& value) override { sums_[unit_ + "." + value.key()][machine_] += value.value; }

  /// Those that one machine has and the other does not.
  void print_of_one(const std::string& machine, const std::string& other) const {
    for (const auto& [statistic, sums] : sums_)
      if (sums.count(other) == 0 && sums.at(machine) != 0) std::cout << "  " << statistic << ' ' << sums.at(machine) << '\n';
  }

 private:
  std::string machine_, unit_;
  std::map<std::string, std::map<std::string, std::uint64_t>> sums_;
};

/// True if the kernel has ended with what its trace expects.
bool print(const char* machine, const tc::accounting::run_result& result) {
  const bool finished = result.status == tc::accounting::run_status::finished;
  const bool expects = !result.kernels.at(0).expectations.empty(), is_right = result.mismatches() == 0;
  std::cout << machine << ": " << (finished ? "finished" : "did not finish") << " in cycle " << result.cycles << ", ";
  if (!expects) std::cout << "and the trace expects nothing\n";
  if (expects && is_right) std::cout << (finished ? "exact\n" : "nothing is wrong yet\n");
  if (!is_right) std::cout << result.mismatches() << " unexpected bytes\n";
  return finished && expects && is_right;
}

bool compare(const std::string& kernel, const std::string& machine, const std::vector<std::string>& assignments) {
  const tc::trace::trace trace = tc::trace::trace::open(kernel);
  tc::device::run_options options;
  options.units = our_units();
  tc::device::gpu own("own", tc::config::load_configuration(machine), {{kernel, &trace}}, options);
  tc::device::gpu mine("mine", tc::config::load_configuration(machine, assignments), {{kernel, &trace}}, options);
  const bool own_is_exact = print("own", own.run()), mine_is_exact = print("mine", mine.result());
  statistics_of_two statistics;
  tc::fabric::collect_statistics(statistics);
  std::cout << "What only the units of mine count:\n";
  statistics.print_of_one("mine", "own");
  return own_is_exact && mine_is_exact;
}

}  // namespace

int sc_main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.size() < 2) {
    std::cerr << "usage: units KERNEL MACHINE [KEY=VALUE]...\n";
    return 2;
  }
  try {
    return compare(arguments[0], arguments[1], {arguments.begin() + 2, arguments.end()}) ? 0 : 1;
  } catch (const std::exception& error) {
    std::cerr << "units: " << error.what() << '\n';
    return 2;
  }
}
