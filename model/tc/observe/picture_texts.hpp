// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <string_view>
#include <unordered_map>

#include <boost/json.hpp>

#include <tc/observe/recent_records.hpp>

namespace tc::observe {

/// What pictures share while a run goes on: texts, each of which is written once, and which text an instruction has. Only the latest
/// instructions are known, so that memory does not grow with the run.
class picture_texts {
 public:
  /// Number of a text, which lives as long as the machine.
  std::uint32_t number(std::string_view text);
  void instruction_begins(std::uint64_t id, std::uint32_t text) { instructions_.add(id, text); }
  /// Number of the text of an instruction; that of the empty text if it is not known.
  std::uint32_t of_instruction(std::uint64_t id);

  boost::json::array json() const;

 private:
  static constexpr std::size_t remembered = 65536;

  std::unordered_map<std::string_view, std::uint32_t> numbers_;
  std::deque<std::string_view> texts_;
  recent_records<std::uint32_t> instructions_{remembered};
};

}  // namespace tc::observe
