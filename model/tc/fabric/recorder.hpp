// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <initializer_list>
#include <limits>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include <systemc>
#include <tlm>

#include <tc/fabric/clock_domain.hpp>
#include <tc/fabric/record.hpp>

namespace tc::fabric {

/// Where records leave a model: those who tell get their streams here, and those who listen bind to the port `records` or subscribe.
/// A model without a listener has no recorder, and pays for records with a branch where something could be told.
class recorder final : public sc_core::sc_module {
 public:
  tlm::tlm_analysis_port<record_event> records{"records"};

  recorder(const sc_core::sc_module_name& name, const clock_domain& clock);
  ~recorder() override;

  /// During elaboration: a stream of a place. The type outlives the recorder. A second stream of the same path and type is a mistake.
  const record_stream& add_stream(std::string path, const record_type& type);
  /// In the order in which they were added; complete when simulation starts.
  const std::deque<record_stream>& streams() const { return streams_; }

  /// Begins a record, now or in a cycle to come; returns its id, 0 behind stop_at(). There are as many values as the type has attributes.
  std::uint64_t begin(const record_stream& stream, cycle_t cycle, std::initializer_list<record_value> values = {},
                      std::uint64_t parent = 0);
  /// Ends it: not before its begin, and not in the past.
  void end(const record_stream& stream, std::uint64_t id, cycle_t cycle);
  /// Both ends at once.
  std::uint64_t span(const record_stream& stream, cycle_t begins, cycle_t ends, std::initializer_list<record_value> values = {},
                     std::uint64_t parent = 0);

  /// No listener wants records that begin in this cycle or later: they have no id (0), and nothing is told of them.
  void stop_at(cycle_t cycle) { stop_ = cycle; }
  /// Whether that is so for what begins now, so that a record need not be put together.
  bool is_over() const { return clock_.cycle() >= stop_; }

  /// Records begun so far.
  std::uint64_t begun() const { return last_id_; }

 private:
  const clock_domain& clock_;
  std::deque<record_stream> streams_;
  std::set<std::pair<std::string_view, const record_type*>> known_;  // paths and types of them
  std::uint64_t last_id_ = 0;
  cycle_t stop_ = std::numeric_limits<cycle_t>::max();
};

}  // namespace tc::fabric
