// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include <tc/fabric/statistics.hpp>

namespace tc::accounting {

/// One statistic, added up over all objects whose path ends in certain names; see ends_in(). Of one that is split up, all parts.
class statistic_sum final : public fabric::statistics_sink {
 public:
  /// Collects it from the SystemC object tree. Throws std::out_of_range if no such object has a statistic of this name, or of this key.
  statistic_sum(std::string_view object, std::string_view statistic);

  std::uint64_t sum() const { return sum_; }
  /// Its share in the sum; 0 for a part that there is not.
  std::uint64_t part(std::string_view name) const;
  /// Objects in which it is not zero.
  unsigned objects() const { return objects_; }

  void begin_object(std::string_view path) override;
  void end_object() override;
  void record(const fabric::statistic& value) override;

 private:
  std::string_view object_, statistic_;
  bool counts_ = false;
  bool found_ = false;
  std::uint64_t sum_ = 0, sum_before_ = 0;  ///< before the running object
  std::map<std::string, std::uint64_t, std::less<>> parts_;
  unsigned objects_ = 0;
};

}  // namespace tc::accounting
