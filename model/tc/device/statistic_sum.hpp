#pragma once

#include <cstdint>
#include <string_view>

#include <tc/fabric/statistics.hpp>

namespace tc::device {

/// One statistic, added up over all objects of a name: those whose path ends in `.<object>`.
class statistic_sum final : public fabric::statistics_sink {
 public:
  /// Collects it from the SystemC object tree.
  statistic_sum(std::string_view object, std::string_view statistic);

  std::uint64_t sum() const { return sum_; }
  /// Objects in which it is not zero.
  unsigned objects() const { return objects_; }

  void begin_object(std::string_view path) override;
  void end_object() override {}
  void record(const fabric::statistic& value) override;

 private:
  std::string_view object_, statistic_;
  bool counts_ = false;
  std::uint64_t sum_ = 0;
  unsigned objects_ = 0;
};

}  // namespace tc::device
