// SPDX-License-Identifier: Apache-2.0
#include "qualifier_list.hpp"

#include <algorithm>
#include <cstddef>
#include <string>

namespace tc::isa {

std::string_view qualifier_list::front() const {
  return rest_.empty() ? rest_ : rest_.substr(1, std::min(rest_.size(), rest_.find('.', 1)) - 1);
}

std::string_view qualifier_list::take(std::initializer_list<std::string_view> choices) {
  const std::string_view taken = front();
  if (std::find(choices.begin(), choices.end(), taken) == choices.end()) {
    expected_.insert(expected_.end(), choices);
    return {};
  }
  rest_.remove_prefix(taken.size() + 1);
  expected_.clear();
  return taken;
}

std::string_view qualifier_list::require(std::initializer_list<std::string_view> choices) {
  const std::string_view taken = take(choices);
  if (taken.empty()) fail();
  return taken;
}

std::string_view qualifier_list::next(std::string_view what) {
  const std::string_view taken = front();
  if (taken.empty()) source_->fail(rest_, "expected " + std::string(what) + " here");
  rest_.remove_prefix(taken.size() + 1);
  expected_.clear();
  return taken;
}

void qualifier_list::finish() {
  if (!rest_.empty()) fail();
}

void qualifier_list::fail() const {
  std::string message = "expected ";
  for (std::size_t i = 0; i < expected_.size(); ++i) {
    if (i != 0) message += i + 1 == expected_.size() ? " or " : ", ";
    message += "." + std::string(expected_[i]);
  }
  if (expected_.empty()) message += "the name to end here";
  if (!rest_.empty()) message += ", found ." + std::string(front());
  source_->fail(rest_, message);
}

}  // namespace tc::isa
