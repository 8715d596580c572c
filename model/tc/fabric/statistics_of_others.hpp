// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <tc/fabric/kept_statistics.hpp>

namespace tc::fabric {

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
