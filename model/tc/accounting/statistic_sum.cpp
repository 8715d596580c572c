// SPDX-License-Identifier: Apache-2.0
#include "statistic_sum.hpp"

#include <stdexcept>

#include <tc/accounting/object_path.hpp>

namespace tc::accounting {

statistic_sum::statistic_sum(std::string_view object, std::string_view statistic) : object_(object), statistic_(statistic) {
  fabric::collect_statistics(*this);
  if (!found_) throw std::out_of_range("no object \"" + std::string(object) + "\" has a statistic \"" + std::string(statistic) + "\"");
}

std::uint64_t statistic_sum::part(std::string_view name) const {
  const auto found = parts_.find(name);
  return found == parts_.end() ? 0 : found->second;
}

void statistic_sum::begin_object(std::string_view path) {
  counts_ = ends_in(path, object_);
  sum_before_ = sum_;
}

void statistic_sum::end_object() {
  if (sum_ != sum_before_) ++objects_;
}

void statistic_sum::record(const fabric::statistic& value) {
  if (!counts_ || (value.name != statistic_ && value.key() != statistic_)) return;
  found_ = true;
  sum_ += value.value;
  if (!value.part.empty()) parts_[std::string(value.part)] += value.value;
}

}  // namespace tc::accounting
