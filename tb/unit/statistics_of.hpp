// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include <tc/fabric/statistics.hpp>

namespace tc {

/// The statistics of one unit by name.
class statistics_of final : public fabric::statistics_sink {
 public:
  explicit statistics_of(const fabric::statistics_source& source) { source.collect(*this); }
  std::uint64_t operator[](const std::string& name) const { return values_.at(name); }
  bool has(const std::string& name) const { return values_.count(name) != 0; }

  void begin_object(std::string_view) override {}
  void end_object() override {}
  void record(const fabric::statistic& value) override { values_[std::string(value.name)] = value.value; }

 private:
  std::map<std::string, std::uint64_t> values_;
};

}  // namespace tc
