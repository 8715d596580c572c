// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <variant>
#include <vector>

#include <tc/study/probe.hpp>
#include <tc/study/probe_integers.hpp>

namespace tcsim {

/// What probing one unit of a machine gave.
struct probe_result {
  std::string input, label;
  tc::numerics::dot_product_types types;
  unsigned k;
  std::variant<tc::study::datapath_findings, tc::study::integer_findings> findings;

  bool explained() const {
    return std::visit([](const auto& found) { return found.explained(); }, findings);
  }
};

/// For people: a table a unit, beside what the studies of the V100 found; no wider than 140 columns.
std::string probe_text(const std::string& machine, const std::vector<probe_result>& results);

/// For programs: stable keys.
std::string probe_json(const std::string& machine, const std::vector<probe_result>& results);

}  // namespace tcsim
