// SPDX-License-Identifier: Apache-2.0
#include "register_writers.hpp"

#include <algorithm>

namespace tc::recording {

/// Null for files that are no registers, and for those that are constant.
std::uint64_t* register_writers::writer(isa::register_file file, unsigned index) {
  const auto of = [&](std::size_t row, unsigned constant) { return index == constant ? nullptr : &writers_[row][index]; };
  switch (file) {
    case isa::register_file::vector:
      return of(0, isa::zero_register);
    case isa::register_file::uniform:
      return of(1, isa::zero_uniform_register);
    case isa::register_file::predicate:
      return of(2, isa::true_predicate);
    case isa::register_file::uniform_predicate:
      return of(3, isa::true_predicate);
    default:
      return nullptr;
  }
}

const std::vector<std::uint64_t>& register_writers::producers(const isa::instruction& consumer) {
  found_.clear();
  for (const isa::register_use& use : consumer.reads)
    for (unsigned r = 0; r < use.count; ++r) {
      const std::uint64_t* const last = writer(use.file, use.index + r);
      if (last != nullptr && *last != 0 && std::find(found_.begin(), found_.end(), *last) == found_.end()) found_.push_back(*last);
    }
  return found_;
}

void register_writers::written_by(const isa::instruction& producer, std::uint64_t record) {
  for (const isa::register_use& use : producer.writes)
    for (unsigned r = 0; r < use.count; ++r)
      if (std::uint64_t* const last = writer(use.file, use.index + r); last != nullptr) *last = record;
}

}  // namespace tc::recording
