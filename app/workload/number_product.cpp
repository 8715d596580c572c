// SPDX-License-Identifier: Apache-2.0
#include "number_product.hpp"

#include <charconv>
#include <stdexcept>
#include <system_error>

#include <fmt/format.h>

namespace tcsim {

std::vector<unsigned> read_number_product(const std::string& text, std::size_t count, const char* example) {
  std::vector<unsigned> numbers;
  const char *at = text.data(), *const end = at + text.size();
  while (numbers.size() < count) {
    unsigned value = 0;
    const auto [after, error] = std::from_chars(at, end, value);
    const bool is_last = numbers.size() + 1 == count;
    if (error != std::errc() || value == 0 || (is_last ? after != end : after == end || *after != 'x'))
      throw std::invalid_argument(fmt::format("expected {} positive numbers, as in {}", count, example));
    numbers.push_back(value);
    at = after + 1;
  }
  return numbers;
}

}  // namespace tcsim
