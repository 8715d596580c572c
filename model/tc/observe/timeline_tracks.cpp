// SPDX-License-Identifier: Apache-2.0
#include "timeline_tracks.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace tc::observe {
namespace {

constexpr std::size_t lanes_per_order = 256;  // more lanes are sorted among the tracks behind

bool is_numbered(std::string_view component, std::string_view name) {
  return component.size() > name.size() && component.substr(0, name.size()) == name &&
         component.find_first_not_of("0123456789", name.size()) == std::string_view::npos;
}

void metadata(json_text& text, std::size_t process, std::size_t thread, std::string_view what, std::string_view name) {
  text.raw(",\n{\"ph\":\"M\",\"pid\":").number(process).raw(R"(,"tid":)").number(thread).raw(R"(,"name":")").raw(what);
  text.raw(R"(_name","args":{"name":)").string(name).raw("}}");
}

void sort_index(json_text& text, std::size_t process, std::size_t thread, std::string_view what, std::size_t index) {
  text.raw(",\n{\"ph\":\"M\",\"pid\":").number(process).raw(R"(,"tid":)").number(thread).raw(R"(,"name":")").raw(what);
  text.raw(R"(_sort_index","args":{"sort_index":)").number(index).raw("}}");
}

}  // namespace

std::pair<std::string_view, std::string_view> timeline_tracks::process_and_place(std::string_view path) {
  std::size_t end = std::min(path.find('.'), path.size());  // of the process
  for (std::size_t begin = 0; begin < path.size();) {
    const std::size_t stop = std::min(path.find('.', begin), path.size());
    const std::string_view component = path.substr(begin, stop - begin);
    if (is_numbered(component, "sm_") || is_numbered(component, "sub_core_")) end = stop;
    begin = stop + 1;
  }
  if (end == path.size()) return {path, path.substr(path.rfind('.') + 1)};
  return {path.substr(0, end), path.substr(end + 1)};
}

std::size_t timeline_tracks::process(std::string_view name, std::size_t order) {
  const auto found = process_numbers_.find(name);
  if (found != process_numbers_.end()) return found->second;
  processes_.push_back({std::string(name), order});
  process_numbers_.emplace(name, processes_.size());
  return processes_.size();
}

std::size_t timeline_tracks::track(std::size_t process, std::string_view name, std::size_t order) {
  const auto [entry, is_new] = track_numbers_.try_emplace({process, std::string(name)}, tracks_.size());
  if (is_new) tracks_.push_back({process, std::string(name), order});
  return entry->second;
}

std::size_t timeline_tracks::take(std::size_t number, fabric::cycle_t begins, fabric::cycle_t ends) {
  track_entry& track = tracks_[number];
  const auto found = std::find_if(track.free_from.begin(), track.free_from.end(), [&](fabric::cycle_t cycle) { return cycle <= begins; });
  const auto lane = static_cast<std::size_t>(found - track.free_from.begin());
  if (found == track.free_from.end()) {
    ++threads_;
    track.free_from.push_back(0);
    track.lanes.push_back({threads_, fmt::format(",\n{{\"ph\":\"X\",\"pid\":{},\"tid\":{},\"ts\":", track.process, threads_)});
  }
  track.free_from[lane] = ends;
  return lane;
}

void timeline_tracks::introduce_process(std::size_t process, json_text& text) {
  process_entry& entry = processes_[process - 1];
  if (entry.introduced) return;
  entry.introduced = true;
  metadata(text, process, 0, "process", entry.name);
  sort_index(text, process, 0, "process", entry.order);
}

void timeline_tracks::introduce_thread(std::size_t track, std::size_t lane, json_text& text) {
  const track_entry& entry = tracks_[track];
  lane_entry& what = tracks_[track].lanes[lane];
  what.introduced = true;
  introduce_process(entry.process, text);
  metadata(text, entry.process, what.thread, "thread", lane == 0 ? entry.name : fmt::format("{} {}", entry.name, lane + 1));
  sort_index(text, entry.process, what.thread, "thread", entry.order * lanes_per_order + std::min(lane, lanes_per_order - 1));
}

}  // namespace tc::observe
