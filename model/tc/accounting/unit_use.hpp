// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <tc/accounting/run_result.hpp>
#include <tc/fabric/clocked.hpp>
#include <tc/fabric/statistics.hpp>

namespace tc::accounting {

/// How long a unit was busy in a run. Each of the run's cycles it is busy or idle; of an execution unit, each idle one has one cause.
struct unit_use {
  std::string path;  ///< of the object
  std::string kind;  ///< the path inside the SM or sub-core without numbers, e.g. "tensor", "register_file.bank"
  std::uint64_t busy_cycles = 0, idle_cycles = 0;
  /// Of an execution unit: idle cycles by what became of the issue slot meanwhile, where `none` is an instruction that issued. Before the
  /// first launch and behind the last exit there was no warp.
  bool has_causes = false;
  stall_cycles idle{};

  double utilisation() const;
};

/// Units of one kind together, those that did anything.
struct unit_kind_use {
  std::string kind;
  unsigned units = 0;
  std::uint64_t busy_cycles = 0;
  stall_cycles idle{};     ///< as in unit_use; all 0 where there are no causes
  double utilisation = 0;  ///< of their cycles; 0 to 1
};

/// Collects the use of every unit that counts busy cycles, that is has a statistic of that kind; the parts of its statistic `idle` say what
/// became of the issue slots of its sub-core in idle cycles.
class unit_use_collector final : public fabric::statistics_sink {
 public:
  /// From the SystemC object tree, for a run of so many cycles.
  explicit unit_use_collector(fabric::cycle_t cycles);

  /// In the order of the object tree.
  const std::vector<unit_use>& units() const { return units_; }
  /// Busiest kind first.
  std::vector<unit_kind_use> kinds() const;

  void begin_object(std::string_view path) override;
  void end_object() override;
  void record(const fabric::statistic& value) override;

 private:
  fabric::cycle_t cycles_;
  std::string_view path_{};
  bool in_unit_ = false;  ///< the running object is the last of units_
  std::vector<unit_use> units_;
};

}  // namespace tc::accounting
