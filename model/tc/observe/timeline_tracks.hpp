// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tc/fabric/clocked.hpp>
#include <tc/observe/json_text.hpp>

namespace tc::observe {

/// Where something is shown in a timeline. In the trace-event format these are a process and a thread of it.
struct timeline_thread {
  std::size_t process = 0;
  std::size_t thread = 0;
};

/// The processes and threads of a timeline: a process for each sub-core and what else there is in an SM, and in it tracks for units and
/// warps. A track has as many threads (lanes) as slices on it overlap. Slices are given in the order of their begins.
class timeline_tracks {
 public:
  /// The process of a place of the machine, and the place's name in it: "gpu.sm_0.sub_core_1.bank_0" is "bank_0" of "gpu.sm_0.sub_core_1".
  static std::pair<std::string_view, std::string_view> process_and_place(std::string_view path);

  /// `order`: lower ones come first.
  std::size_t process(std::string_view name, std::size_t order);
  /// A track of a process; the same if it exists.
  std::size_t track(std::size_t process, std::string_view name, std::size_t order);

  /// The first lane of a track that is free in a cycle; it is taken until free() says so, or until `ends`.
  std::size_t take(std::size_t track, fabric::cycle_t begins, fabric::cycle_t ends = taken);
  void free(std::size_t track, std::size_t lane) { tracks_[track].free_from[lane] = 0; }

  timeline_thread thread(std::size_t track, std::size_t lane) const { return {tracks_[track].process, tracks_[track].lanes[lane].thread}; }
  const std::string& name(std::size_t track) const { return tracks_[track].name; }

  /// Before something is shown there: writes the names, once.
  void introduce_process(std::size_t process, json_text& text);
  void introduce(std::size_t track, std::size_t lane, json_text& text) {
    if (!tracks_[track].lanes[lane].introduced) introduce_thread(track, lane, text);
  }
  /// The begin of the slices of a lane, up to the value of "ts", with a comma before it.
  const std::string& slice_begin(std::size_t track, std::size_t lane) const { return tracks_[track].lanes[lane].slice_begin; }

 private:
  static constexpr fabric::cycle_t taken = ~fabric::cycle_t{0};

  struct process_entry {
    std::string name;
    std::size_t order;
    bool introduced = false;
  };
  struct lane_entry {
    std::size_t thread;
    std::string slice_begin;
    bool introduced = false;
  };
  struct track_entry {
    std::size_t process;
    std::string name;
    std::size_t order;
    std::vector<lane_entry> lanes{};
    std::vector<fabric::cycle_t> free_from{};  // of the lanes
  };

  void introduce_thread(std::size_t track, std::size_t lane, json_text& text);

  std::vector<process_entry> processes_;  // number 1 first
  std::vector<track_entry> tracks_;
  std::map<std::string, std::size_t, std::less<>> process_numbers_;
  std::map<std::pair<std::size_t, std::string>, std::size_t> track_numbers_;
  std::size_t threads_ = 0;
};

}  // namespace tc::observe
