// SPDX-License-Identifier: Apache-2.0
#include "statistics.hpp"

#include <systemc>

#include <tc/fabric/kept_statistics.hpp>

namespace tc::fabric {

namespace {

void collect_subtree(const sc_core::sc_object& object, statistics_sink& sink) {
  if (const auto* source = dynamic_cast<const statistics_source*>(&object)) {
    sink.begin_object(object.name());
    source->collect(sink);
    sink.end_object();
  }
  for (const sc_core::sc_object* child : object.get_child_objects()) collect_subtree(*child, sink);
}

void collect_all(statistics_sink& sink) {
  for (const sc_core::sc_object* object : sc_core::sc_get_top_level_objects()) collect_subtree(*object, sink);
}

/// Hands statistics on with those of other processes.
class adding_sink final : public statistics_sink {
 public:
  explicit adding_sink(statistics_sink& next) : next_(next) {}

  void begin_object(std::string_view path) override { others_.begin_object(path); }
  void end_object() override { others_.end_object(next_); }
  void record(const statistic& value) override { others_.record(value); }

 private:
  statistics_sink& next_;
  statistics_of_others& others_ = statistics_of_others::instance();
};

}  // namespace

void collect_statistics(statistics_sink& sink) {
  if (statistics_of_others::instance().empty()) return collect_all(sink);
  adding_sink sums(sink);
  collect_all(sums);
}

}  // namespace tc::fabric
