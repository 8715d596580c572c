// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <boost/json.hpp>
#include <gtest/gtest.h>

#include <tc/fabric/recorder.hpp>

#include "test_machine.hpp"

namespace tc::device::test {

/// A record with its ends; texts are copied, choices are their names.
struct kept_record {
  const fabric::record_stream* stream = nullptr;
  cycle_t begin = 0, end = 0;
  bool is_open = true;
  std::uint64_t parent = 0;
  std::map<std::string, std::string> values{};

  cycle_t cycles() const { return end - begin; }
  std::uint64_t number(const std::string& attribute) const { return std::stoull(values.at(attribute)); }
};

/// Keeps all records of a machine, and checks that they are told in order.
class record_keeper final : public fabric::record_listener {
 public:
  explicit record_keeper(gpu& machine);

  void write(const fabric::record_event& event) override;

  /// Records of a type, of one place or, without a path, of all.
  std::vector<const kept_record*> of(std::string_view type, std::string_view path = {}) const;
  /// A sum over them; of what is measured of each.
  std::uint64_t sum(std::string_view type, std::string_view path, const std::function<std::uint64_t(const kept_record&)>& measure) const;

  std::map<std::uint64_t, kept_record> records;  ///< by id

 private:
  fabric::clock_domain& clock_;
  std::map<const fabric::record_stream*, std::vector<const kept_record*>> by_stream_;
};

/// Options of a run that records.
run_options recording_options();

/// Whatever the records tell adds up to what the units count, and nothing is left open but what nobody waited for.
void expect_records_agree(const record_keeper& kept, const accounting::run_result& result, const config::machine& machine);

}  // namespace tc::device::test
