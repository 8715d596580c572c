// SPDX-License-Identifier: Apache-2.0
#include "barrier_word.hpp"

namespace tc::engine {

namespace {

// Bits 0 to 19: pending arrivals; 20 to 39: expected ones; 40 to 60: pending bytes, two's complement; 61: parity.
constexpr unsigned expected_bit = 20, bytes_bit = 40, parity_bit = 61;
constexpr std::uint32_t bytes_sign = 1U << 20;

}  // namespace

barrier_word barrier_word::from_bits(std::uint64_t bits) {
  barrier_word word;
  word.pending_ = static_cast<std::uint32_t>(bits) & max_arrivals;
  word.expected_ = static_cast<std::uint32_t>(bits >> expected_bit) & max_arrivals;
  const auto bytes = static_cast<std::uint32_t>(bits >> bytes_bit);
  word.bytes_ = static_cast<std::int32_t>(bytes & (bytes_sign - 1)) - static_cast<std::int32_t>(bytes & bytes_sign);
  word.parity_ = (bits >> parity_bit & 1U) != 0;
  return word;
}

std::uint64_t barrier_word::bits() const {
  const std::uint64_t bytes = static_cast<std::uint32_t>(bytes_) & (2 * bytes_sign - 1);
  return pending_ | std::uint64_t{expected_} << expected_bit | bytes << bytes_bit | std::uint64_t{parity_} << parity_bit;
}

bool barrier_word::arrive(std::uint32_t count, bool drop) {
  if (count > pending_) return false;
  pending_ -= count;
  if (drop) expected_ -= count;
  end_phase();
  return true;
}

bool barrier_word::expect(std::uint32_t bytes) { return add_bytes(bytes); }

bool barrier_word::complete(std::uint32_t bytes) { return add_bytes(-std::int64_t{bytes}); }

bool barrier_word::add_bytes(std::int64_t bytes) {
  const std::int64_t sum = bytes_ + bytes;
  if (sum > max_bytes || sum < -max_bytes) return false;
  bytes_ = static_cast<std::int32_t>(sum);
  end_phase();
  return true;
}

/// Begins the next phase if nothing of this one is pending.
void barrier_word::end_phase() {
  if (pending_ != 0 || bytes_ != 0) return;
  parity_ = !parity_;
  pending_ = expected_;
}

}  // namespace tc::engine
