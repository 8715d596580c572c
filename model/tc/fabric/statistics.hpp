// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace tc::fabric {

/// How a statistic is read and may be combined: counts, cycles and bytes add up over units, a ratio is formed anew from its two sums. Busy
/// cycles are those in which the unit was in use, one statistic of a unit at most: they make it appear in tables of utilisation.
enum class statistic_kind { count, cycles, busy, bytes, ratio };

/// One number a unit reports. The strings are literals, or live at least as long as the unit.
struct statistic {
  std::string_view name;  ///< snake_case, stable: it is a key in result files
  statistic_kind kind;
  std::string_view unit;         ///< what is counted, e.g. "instructions"; "cycles", "bytes"; of a ratio e.g. "hits/access"
  std::string_view description;  ///< one sentence for people
  std::uint64_t value;           ///< of a ratio, the numerator
  std::uint64_t denominator = 1;
  std::string_view part{};  ///< which part of a total that is split up, snake_case; empty: it is not

  /// The key in result files: the name, or "<name>_<part>".
  std::string key() const { return part.empty() ? std::string(name) : std::string(name).append("_").append(part); }
  /// The number to show; a ratio of nothing to nothing is 0.
  double number() const { return denominator == 0 ? 0.0 : static_cast<double>(value) / static_cast<double>(denominator); }
};

/// Receives the statistics of a run; writers derive from it.
class statistics_sink {
 public:
  virtual ~statistics_sink() = default;

  /// All statistics up to the matching end_object() belong to the object of this hierarchical path. Objects do not nest.
  virtual void begin_object(std::string_view path) = 0;
  virtual void end_object() = 0;
  virtual void record(const statistic& value) = 0;

  void count(std::string_view name, std::uint64_t value, std::string_view unit, std::string_view description) {
    record({name, statistic_kind::count, unit, description, value});
  }
  /// One part of a count that is split up, e.g. by type.
  void count_of(std::string_view name, std::string_view part, std::uint64_t value, std::string_view unit, std::string_view description) {
    record({name, statistic_kind::count, unit, description, value, 1, part});
  }
  void cycles(std::string_view name, std::uint64_t value, std::string_view description) {
    record({name, statistic_kind::cycles, "cycles", description, value});
  }
  /// Cycles in which the unit was in use.
  void busy(std::uint64_t value, std::string_view description) {
    record({"busy_cycles", statistic_kind::busy, "cycles", description, value});
  }
  /// One part of cycles that are split up, e.g. by cause.
  void cycles_of(std::string_view name, std::string_view part, std::uint64_t value, std::string_view description) {
    record({name, statistic_kind::cycles, "cycles", description, value, 1, part});
  }
  void bytes(std::string_view name, std::uint64_t value, std::string_view description) {
    record({name, statistic_kind::bytes, "bytes", description, value});
  }
  void ratio(std::string_view name, std::uint64_t numerator, std::uint64_t denominator, std::string_view unit,
             std::string_view description) {
    record({name, statistic_kind::ratio, unit, description, numerator, denominator});
  }
};

/// Base of a module that has statistics. The module owns plain 64-bit counters and lists them here; counting costs an increment.
class statistics_source {
 public:
  virtual ~statistics_source() = default;

  /// Reports every statistic that the unit counts in this run, always the same ones in the same order. What it does not count is absent,
  /// and not 0.
  virtual void collect(statistics_sink& sink) const = 0;
};

/// Walks the SystemC object tree in order of construction and collects from every object that is a statistics_source.
void collect_statistics(statistics_sink& sink);

}  // namespace tc::fabric
