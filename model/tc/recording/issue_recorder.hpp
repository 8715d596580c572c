// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

#include <tc/fabric/recorder.hpp>
#include <tc/isa/control_code.hpp>
#include <tc/isa/instruction.hpp>
#include <tc/isa/register_use.hpp>
#include <tc/links/pipeline_observers.hpp>

namespace tc::recording {

/// Which instruction wrote each register of a warp last, by the ids of their records.
class register_writers {
 public:
  /// The instructions whose results this one reads, each once; valid until the next call.
  const std::vector<std::uint64_t>& producers(const isa::instruction& consumer);
  /// The instruction of this record writes its destinations.
  void written_by(const isa::instruction& producer, std::uint64_t record);
  /// As for a new warp.
  void clear() { writers_ = {}; }

 private:
  static constexpr std::size_t registers_of_a_file = isa::register_numbers, files = 4;

  std::uint64_t* writer(isa::register_file file, unsigned index);

  std::array<std::array<std::uint64_t, registers_of_a_file>, files> writers_{};  // 0: nobody
  std::vector<std::uint64_t> found_;
};

/// Turns what a scheduler decides into records: of its issue slots, and of each warp slot its instructions, waits and dependence counters.
class issue_recorder final : public links::issue_observer {
 public:
  using cycle_t = fabric::cycle_t;

  /// `scheduler` is the path of the scheduler, whose sub-core has so many warp slots.
  issue_recorder(fabric::recorder& records, const std::string& scheduler, unsigned warp_slots);

  void launched(const warp::warp_context& warp, cycle_t first) override;
  void drained(const warp::warp_context& warp, cycle_t cycle) override;
  std::uint64_t issued(const warp::warp_context& warp, const warp::warp_step& step, cycle_t cycle) override;
  void retired(const warp::warp_context& warp, std::uint64_t record, cycle_t cycle) override;
  void waits(const warp::warp_context& warp, const warp::warp_step& next, links::stall_cause cause, cycle_t cycle) override;
  void slots_empty(links::stall_cause cause, cycle_t cycle) override;
  void counter_held(const warp::warp_context& warp, unsigned counter, std::uint64_t record, cycle_t cycle) override;
  void counter_released(const warp::warp_context& warp, unsigned counter, std::uint64_t record, cycle_t cycle) override;

 private:
  /// A wait that is told once, however often its cause is confirmed.
  struct open_wait {
    std::uint64_t record = 0;  // 0: none
    links::stall_cause cause = links::stall_cause::none;
    cycle_t begin = 0;
  };
  struct warp_slot {
    const fabric::record_stream *resident, *instruction, *stall, *dependence;
    std::array<const fabric::record_stream*, isa::control_code::barriers> counters;
    std::uint64_t resident_record = 0;
    open_wait wait{};
    register_writers writers{};
    std::array<std::unordered_map<std::uint64_t, std::uint64_t>, isa::control_code::barriers> holds{};  // of instructions, by their records
  };

  warp_slot make_slot(const std::string& path);
  void close(const fabric::record_stream& stream, open_wait& wait, cycle_t cycle);

  fabric::recorder& records_;
  const fabric::record_stream &issue_, &empty_slot_;
  open_wait empty_{};
  std::deque<warp_slot> slots_;
};

}  // namespace tc::recording
