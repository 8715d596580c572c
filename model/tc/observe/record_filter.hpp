// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include <tc/fabric/record.hpp>
#include <tc/fabric/recorder.hpp>

namespace tc::observe {

/// Whether a place lies in a scope as people write it. Both are names with dots between them; underscores and a leading "gpu" do not count,
/// so "sm0.subcore1" is "gpu.sm_0.sub_core_1" and what lies in it. The empty scope is the whole machine.
bool in_scope(std::string_view scope, std::string_view path);

/// For each of the streams, by its number, whether it lies in one of the scopes; all do if there are none. A scope may end with the type of
/// the records, e.g. "sm0.subcore1.bank0.read". Throws std::invalid_argument for a scope without a stream, with what there is to choose
/// from.
std::vector<bool> streams_in_scopes(const std::deque<fabric::record_stream>& streams, const std::vector<std::string>& scopes);

/// Passes on what is recorded in some scopes of a machine, so that whoever listens behind it hears of nothing else: instructions are
/// counted, and belong to something, only as far as they are in a scope.
class record_filter final : public fabric::record_listener {
 public:
  /// After all streams have been added. Throws std::invalid_argument as streams_in_scopes() does.
  record_filter(const fabric::recorder& recorder, const std::vector<std::string>& scopes);

  /// A listener that lives as long as the filter is used.
  void add(fabric::record_listener& listener) { listeners_.push_back(&listener); }

  void write(const fabric::record_event& event) override {
    if (!chosen_[event.stream->number()]) return;
    for (fabric::record_listener* const listener : listeners_) listener->write(event);
  }

 private:
  std::vector<bool> chosen_;  // by the number of the stream
  std::vector<fabric::record_listener*> listeners_;
};

}  // namespace tc::observe
