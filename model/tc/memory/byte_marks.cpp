// SPDX-License-Identifier: Apache-2.0
#include "byte_marks.hpp"

#include <algorithm>
#include <cstring>

namespace tc::memory {

byte_range byte_marks::clip(std::uint64_t first, std::uint64_t count) const {
  const std::uint64_t begin = std::min<std::uint64_t>(first, marks_.size());
  return {begin, static_cast<std::size_t>(std::min<std::uint64_t>(count, marks_.size() - begin))};
}

void byte_marks::begin(byte_range bytes) { std::fill_n(at(bytes), bytes.count, undefined); }

/// Bytes that a bulk copy writes stay unreliable until somebody has waited for it.
void byte_marks::write(byte_range bytes, links::memory_user writer) {
  if (writer != links::memory_user::asynchronous) {
    std::memset(at(bytes), writer == links::memory_user::warp ? unfenced : settled, bytes.count);
    return;
  }
  unsigned char* const first = at(bytes);
  std::transform(first, first + bytes.count, first,
                 [](unsigned char each) { return each == arriving ? each : static_cast<unsigned char>(settled); });
}

void byte_marks::undefine(byte_range bytes, const unsigned char* flags) {
  unsigned char* const first = at(bytes);
  std::transform(first, first + bytes.count, flags, first,
                 [](unsigned char each, unsigned char flag) { return flag != 0 ? static_cast<unsigned char>(undefined) : each; });
}

void byte_marks::fence(byte_range bytes) { replace(bytes, unfenced, settled); }

void byte_marks::arrive(byte_range bytes) {
  any_arriving_ = true;
  std::fill_n(at(bytes), bytes.count, arriving);
}

void byte_marks::settle(byte_range bytes) { replace(bytes, arriving, settled); }

/// Writes every byte, changed or not, so that vectors of them can be written.
void byte_marks::replace(byte_range bytes, mark from, mark to) {
  unsigned char* const first = at(bytes);
  std::transform(first, first + bytes.count, first,
                 [from, to](unsigned char each) { return each == from ? static_cast<unsigned char>(to) : each; });
}

void byte_marks::copy_undefined(byte_range bytes, unsigned char* flags) const {
  const unsigned char* const first = marks_.data() + bytes.first;
  std::transform(first, first + bytes.count, flags, [](unsigned char each) { return each == undefined ? 1 : 0; });
}

bool byte_marks::are_settled(byte_range bytes) const {
  static_assert(settled == 1);
  constexpr std::uint64_t eight_settled = 0x0101010101010101;
  const unsigned char *each = marks_.data() + bytes.first, *const end = each + bytes.count;
  for (std::uint64_t marks = 0; end - each >= static_cast<std::ptrdiff_t>(sizeof marks); each += sizeof marks) {
    std::memcpy(&marks, each, sizeof marks);
    if (marks != eight_settled) return false;
  }
  return std::all_of(each, end, [](unsigned char each_mark) { return each_mark == settled; });
}

byte_marks::hazard byte_marks::find_hazard(byte_range bytes, bool asynchronous) const {
  hazard found;
  if (any_arriving_ && find(bytes, arriving, found.first))
    found.what = fabric::proxy_hazard::arriving;
  else if (asynchronous && find(bytes, unfenced, found.first))
    found.what = fabric::proxy_hazard::unfenced;
  return found;
}

/// Where the first byte with a mark lies among the bytes.
bool byte_marks::find(byte_range bytes, mark wanted, std::uint32_t& position) const {
  const unsigned char* const first = marks_.data() + bytes.first;
  const auto* const found = static_cast<const unsigned char*>(std::memchr(first, wanted, bytes.count));
  if (found == nullptr) return false;
  position = static_cast<std::uint32_t>(found - first);
  return true;
}

void byte_marks::reset() {
  std::fill(marks_.begin(), marks_.end(), static_cast<unsigned char>(undefined));
  any_arriving_ = false;
}

}  // namespace tc::memory
