// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <tc/fabric/statistics.hpp>

namespace tc::fabric {

/// A statistic that outlives its unit.
struct kept_statistic {
  std::string name;
  statistic_kind kind = statistic_kind::count;
  std::string unit, description, part;
  std::uint64_t value = 0, denominator = 1;

  bool is_of_same(const kept_statistic& other) const { return name == other.name && part == other.part; }
};

/// All statistics of an object.
struct kept_object {
  std::string path;
  std::vector<kept_statistic> statistics;
};

/// The objects of which collect_statistics() tells anything but zeros: of a process, for another one with the same object tree.
std::vector<kept_object> kept_statistics();
/// From now on, collect_statistics() adds these of another process, which has simulated other parts of the same machine.
void add_statistics(const std::vector<kept_object>& other);

/// What add_statistics() has been given, and the sums with what this process collects, object by object.
class statistics_of_others {
 public:
  static statistics_of_others& instance();

  bool empty() const { return objects_.empty(); }
  void add_object(const kept_object& object);

  void begin_object(std::string_view path) {
    path_ = path;
    current_.clear();
  }
  void record(const statistic& value);
  /// Hands the sums of the object on. Receivers may keep no view of them.
  void end_object(statistics_sink& next);

 private:
  std::map<std::string, std::vector<kept_statistic>> objects_;  ///< by path
  std::string path_;                                            ///< of the object that is being collected
  std::vector<kept_statistic> current_;                         ///< its own statistics
};

}  // namespace tc::fabric
