#include "statistics.hpp"

#include <systemc>

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

}  // namespace

void collect_statistics(statistics_sink& sink) {
  for (const sc_core::sc_object* object : sc_core::sc_get_top_level_objects()) collect_subtree(*object, sink);
}

}  // namespace tc::fabric
