// SPDX-License-Identifier: Apache-2.0
#include "memory_comparison.hpp"

#include <algorithm>
#include <cmath>

#include <tc/isa/element_type.hpp>
#include <tc/numerics/number_format.hpp>
#include <tc/numerics/rounded_arithmetic.hpp>

namespace tc::execution {

namespace {

using numerics::number_format;

std::uint64_t element_of(const std::uint8_t* from, unsigned bytes) {
  std::uint64_t value = 0;
  for (unsigned i = 0; i < bytes; ++i) value |= std::uint64_t{from[i]} << 8 * i;
  return value;
}

double host_value(std::uint64_t bits, const number_format& format) {
  const numerics::exact_number x = numerics::exact_value(bits, format);
  const double magnitude = std::ldexp(static_cast<double>(x.significand), x.exponent);
  return x.negative ? -magnitude : magnitude;
}

bool is_number(std::uint64_t bits, const number_format& format) {
  return numerics::is_finite(format.class_of(bits & format.magnitude_mask()));
}

/// The root mean square of the elements that are numbers: of this size are sums whose rounding errors an element may have, however small
/// it is itself.
double typical_magnitude(const std::vector<std::uint8_t>& content, const number_format& format) {
  const unsigned element = format.storage_bits / 8;
  double sum = 0;
  std::uint64_t count = 0;
  for (std::uint64_t i = 0; i + element <= content.size(); i += element) {
    const std::uint64_t bits = element_of(&content[i], element);
    if (!is_number(bits, format)) continue;
    const double value = host_value(bits, format);
    sum += value * value;
    ++count;
  }
  return count == 0 ? 0 : std::sqrt(sum / static_cast<double>(count));
}

/// How far two elements are from each other, in units in the last place of the largest of both and `typical`.
double distance_of(std::uint64_t x, std::uint64_t y, double typical, const number_format& format) {
  if (x == y) return 0;
  if (!is_number(x, format) || !is_number(y, format)) return HUGE_VAL;
  const double a = host_value(x, format), b = host_value(y, format);
  const double largest = std::max({std::fabs(a), std::fabs(b), typical});
  if (largest == 0) return 0;
  const int exponent = std::max(std::ilogb(largest), format.minimum_exponent());
  return std::fabs(a - b) / std::ldexp(1.0, exponent - static_cast<int>(format.fraction_bits));
}

void compare_allocation(const launches::launch_allocation& allocation, const std::uint8_t* got, const std::vector<std::uint8_t>& expected,
                        memory_comparison& result) {
  const number_format* const format = allocation.tolerance ? &isa::format_of(allocation.tolerance->type) : nullptr;
  const unsigned element = format != nullptr ? format->storage_bits / 8 : 4;
  result.bytes += expected.size();
  if (std::equal(expected.begin(), expected.end(), got)) return;
  const double typical = format != nullptr ? typical_magnitude(expected, *format) : 0;
  for (std::uint64_t i = 0; i < expected.size(); i += element) {
    const auto bytes = static_cast<unsigned>(std::min<std::uint64_t>(element, expected.size() - i));
    const std::uint64_t x = element_of(got + i, bytes), y = element_of(&expected[i], bytes);
    if (x == y) continue;
    const double distance = format != nullptr ? distance_of(x, y, typical, *format) : HUGE_VAL;
    if (format != nullptr) result.largest_distance = std::max(result.largest_distance, distance);
    if (format != nullptr && distance <= allocation.tolerance->units) {
      ++result.within;
      continue;
    }
    if (result.differing++ < memory_comparison::most_kept) result.differences.push_back({allocation.base + i, x, y, bytes});
  }
}

}  // namespace

memory_comparison compare(const launches::launch& launch, const global_memory& memory) {
  memory_comparison result;
  for (const launches::launch_allocation& each : launch.allocations) result.recorded += each.after ? 1U : 0U;
  if (result.recorded == 0) return result;
  for (std::size_t i = 0; i < launch.allocations.size(); ++i) {
    const launches::launch_allocation& allocation = launch.allocations[i];
    const global_memory::range& range = memory.ranges()[i];
    if (!allocation.after && !range.was_written()) continue;
    std::vector<std::uint8_t> expected;
    if (allocation.after) {
      expected = launches::read_content_file(*allocation.after, allocation.bytes);
    } else {
      expected.resize(allocation.bytes);
      launches::write_content(allocation.before, expected.data(), allocation.bytes);
    }
    compare_allocation(allocation, range.content.data(), expected, result);
  }
  return result;
}

}  // namespace tc::execution
