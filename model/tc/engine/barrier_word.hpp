// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace tc::engine {

/// The state of an mbarrier object, and its 64 bits: PTX keeps their layout to itself, this one is the model's own. A phase completes when
/// all expected arrivals have come and no bytes are pending; then the next one begins, of the other parity (PTX ISA, "mbarrier").
class barrier_word {
 public:
  static constexpr std::uint32_t max_arrivals = (1U << 20) - 1;
  static constexpr std::int32_t max_bytes = (1 << 20) - 1;

  barrier_word() = default;
  /// At the beginning of phase 0; each phase expects `arrivals`, 1 to max_arrivals.
  explicit barrier_word(std::uint32_t arrivals) : expected_(arrivals), pending_(arrivals) {}

  static barrier_word from_bits(std::uint64_t bits);
  std::uint64_t bits() const;

  std::uint32_t expected_arrivals() const { return expected_; }
  std::uint32_t pending_arrivals() const { return pending_; }
  /// Bytes that are expected and have not come; negative if they came first.
  std::int32_t pending_bytes() const { return bytes_; }
  /// Parity of the phase that is open.
  bool parity() const { return parity_; }
  /// Whether the latest phase of a parity has completed.
  bool has_completed(bool parity) const { return parity != parity_; }

  // What changes it. False: beyond what an object can hold, or more than a phase expects; nothing has changed.
  bool arrive(std::uint32_t count, bool drop);
  bool expect(std::uint32_t bytes);
  bool complete(std::uint32_t bytes);

 private:
  bool add_bytes(std::int64_t bytes);
  void end_phase();

  std::uint32_t expected_ = 0, pending_ = 0;  // 20 bits each
  std::int32_t bytes_ = 0;                    // 21 bits
  bool parity_ = false;
};

}  // namespace tc::engine
