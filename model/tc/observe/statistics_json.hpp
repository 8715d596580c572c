// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/json.hpp>

#include <tc/fabric/statistics.hpp>

namespace tc::observe {

/// Writes statistics as JSON: `{"<object path>": {"<statistic>": number}}` in the order in which they are collected. Counts, cycles and
/// bytes are integers; a ratio is a real number.
class statistics_json final : public fabric::statistics_sink {
 public:
  void begin_object(std::string_view path) override;
  void end_object() override {}
  void record(const fabric::statistic& value) override;

  const boost::json::object& objects() const { return objects_; }

 private:
  boost::json::object objects_;
  boost::json::object* current_ = nullptr;
};

/// The statistics of every module of the SystemC object tree.
boost::json::object collected_statistics();

}  // namespace tc::observe
