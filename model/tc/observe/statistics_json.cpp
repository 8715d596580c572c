// SPDX-License-Identifier: Apache-2.0
#include "statistics_json.hpp"

namespace tc::observe {

void statistics_json::begin_object(std::string_view path) {
  current_ = &objects_.emplace(boost::json::string_view(path.data(), path.size()), boost::json::object()).first->value().as_object();
}

void statistics_json::record(const fabric::statistic& value) {
  const std::string key = value.key();
  if (value.kind == fabric::statistic_kind::ratio)
    current_->emplace(key, value.number());
  else
    current_->emplace(key, value.value);
}

boost::json::object collected_statistics() {
  statistics_json writer;
  fabric::collect_statistics(writer);
  return writer.objects();
}

}  // namespace tc::observe
