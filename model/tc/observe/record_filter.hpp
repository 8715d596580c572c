// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <tc/fabric/record.hpp>
#include <tc/fabric/recorder.hpp>

namespace tc::observe {

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
