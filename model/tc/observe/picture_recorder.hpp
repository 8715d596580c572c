// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include <boost/json.hpp>

#include <tc/fabric/record.hpp>
#include <tc/observe/bank_picture.hpp>
#include <tc/observe/picture_texts.hpp>
#include <tc/observe/shared_access_picture.hpp>
#include <tc/observe/tensor_memory_picture.hpp>
#include <tc/observe/warp_picture.hpp>
#include <tc/observe/window.hpp>

namespace tc::observe {

/// Collects from records what a report of a run draws: warps, register banks, accesses to shared memory, tensor memory. Those of warps and
/// tensor memory are of a window, the others of the whole run. Memory does not grow with the run.
class picture_recorder final : public fabric::record_listener {
 public:
  using cycle_t = fabric::cycle_t;

  /// Of a run for which no window is asked for: the first cycles.
  static constexpr cycle_t default_cycles = 10'000;
  static record_window default_window() { return {record_window::unit::cycles, 0, default_cycles}; }

  explicit picture_recorder(const record_window& window = default_window());

  void write(const fabric::record_event& event) override;

  /// What was collected of a run of so many cycles:
  ///
  ///     {"window": {"first", "last", "cut_off": true if a limit of memory ended it early},
  ///      "texts": [...], "warps": warp_picture, "banks": bank_picture, "shared_accesses": shared_access_picture,
  ///      "tensor_memories": tensor_memory_picture}
  ///
  /// without the pictures of which the machine has no records.
  boost::json::object json(cycle_t cycles) const;

 private:
  /// What a stream of records goes into.
  enum class part : std::uint8_t { unknown, none, warps, banks, shared_accesses, tensor_memories };

  part part_of(const fabric::record_stream& stream);

  window_progress window_;
  std::vector<part> parts_;  // by number of the stream
  picture_texts texts_;
  warp_picture warps_{texts_, window_};
  bank_picture banks_;
  shared_access_picture shared_accesses_;
  tensor_memory_picture tensor_memories_{texts_};
};

}  // namespace tc::observe
