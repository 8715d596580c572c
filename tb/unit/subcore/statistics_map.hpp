// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include <tc/fabric/statistics.hpp>

namespace tc::subcore::test {

/// Counters of a run by object path and name.
class statistics_map final : public fabric::statistics_sink {
 public:
  statistics_map() { fabric::collect_statistics(*this); }
  std::uint64_t at(const std::string& object_and_name) const { return values_.at(object_and_name); }
  const std::map<std::string, std::uint64_t>& all() const { return values_; }

 private:
  void begin_object(std::string_view path) override { path_ = path; }
  void end_object() override {}
  void record(const fabric::statistic& value) override { values_[path_ + '.' + value.key()] = value.value; }

  std::string path_;
  std::map<std::string, std::uint64_t> values_;
};

/// The counters of a module and its children, by their paths below it.
inline std::map<std::string, std::uint64_t> counters_below(const std::string& path, const statistics_map& counted) {
  std::map<std::string, std::uint64_t> below;
  for (const auto& [key, value] : counted.all())
    if (key.compare(0, path.size(), path) == 0) below[key.substr(path.size())] = value;
  return below;
}

}  // namespace tc::subcore::test
