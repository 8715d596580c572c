// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include <boost/json.hpp>

#include <tc/fabric/record.hpp>

namespace tc::observe {

/// Reads, conflicts and writes of register banks over time: cycles of each in equal intervals of the whole run. The intervals double
/// whenever there would be more than `most_intervals`, so that memory does not grow with the run. Takes records of the types `read`,
/// `conflict` and `write`.
class bank_picture {
 public:
  static constexpr std::size_t most_intervals = 256;

  void write(const fabric::record_event& event);
  bool empty() const { return banks_.empty(); }

  /// {"interval": cycles, "banks": [{"path", "read": [cycles in each interval], "conflict": [...], "write": [...]}]}, banks by path.
  boost::json::object json() const;

 private:
  using cycle_t = fabric::cycle_t;
  static constexpr std::array<std::string_view, 3> kinds{"read", "conflict", "write"};

  struct bank {
    std::string path;
    std::array<std::vector<std::uint64_t>, kinds.size()> cycles;
  };

  bank& bank_of(const fabric::record_stream& stream);
  void add(std::vector<std::uint64_t>& cycles, cycle_t begins, cycle_t ends);
  void double_interval();

  cycle_t interval_ = 8;
  std::vector<bank> banks_;
  std::unordered_map<std::string_view, std::size_t> index_;
  std::unordered_map<std::uint64_t, cycle_t> open_;  // begins by id
};

}  // namespace tc::observe
