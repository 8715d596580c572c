// SPDX-License-Identifier: Apache-2.0
#include "trace_event_rules.hpp"

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace {

namespace json = boost::json;

using thread = std::pair<std::int64_t, std::int64_t>;  // process, thread
using range = std::pair<std::int64_t, std::int64_t>;   // begin, end

class checker {
 public:
  std::vector<std::string> complaints;

  void check(const json::value& document) {
    const json::object* root = document.if_object();
    const json::value* events = root != nullptr ? root->if_contains("traceEvents") : nullptr;
    if (events == nullptr || !events->is_array()) {
      complaints.emplace_back("there is no array traceEvents");
      return;
    }
    if (const json::value* unit = root->if_contains("displayTimeUnit"); unit != nullptr && *unit != "ns" && *unit != "ms")
      complaints.emplace_back("displayTimeUnit is neither ns nor ms");
    for (const json::value& event : events->as_array()) {
      if (!event.is_object())
        complaints.push_back("no object: " + json::serialize(event));
      else
        check_event(event.as_object());
    }
    for (auto& [where, slices] : slices_) check_nesting(where, slices);
    check_flows();
  }

 private:
  void complain(const json::object& event, const std::string& what) { complaints.push_back(what + ": " + json::serialize(event)); }

  bool has(const json::object& event, std::initializer_list<std::pair<const char*, char>> fields) {
    for (const auto& [name, kind] : fields) {
      const json::value* value = event.if_contains(name);
      const bool fits = value != nullptr && ((kind == 'i' && value->is_int64() && value->as_int64() >= 0) ||
                                             (kind == 's' && value->is_string()) || (kind == 'o' && value->is_object()));
      if (!fits) complain(event, std::string("lacks a ") + name);
      if (!fits) return false;
    }
    return true;
  }

  void check_event(const json::object& event) {
    if (!has(event, {{"ph", 's'}, {"pid", 'i'}, {"tid", 'i'}, {"name", 's'}})) return;
    const std::string_view phase(event.at("ph").as_string());
    const thread where{event.at("pid").as_int64(), event.at("tid").as_int64()};
    if (phase == "X")
      check_slice(event, where);
    else if (phase == "s" || phase == "f")
      check_flow(event, where, phase == "f");
    else if (phase == "C")
      check_counter(event);
    else if (phase == "M")
      check_metadata(event, where);
    else
      complain(event, "unknown phase");
  }

  void check_slice(const json::object& event, const thread& where) {
    if (!has(event, {{"ts", 'i'}, {"dur", 'i'}, {"cat", 's'}, {"args", 'o'}})) return;
    const std::int64_t begin = event.at("ts").as_int64();
    if (event.at("dur").as_int64() == 0) complain(event, "is empty");
    slices_[where].insert({begin, begin + event.at("dur").as_int64()});
    if (names_.count({where.first, -1}) == 0 || names_.count(where) == 0) complain(event, "process or thread without a name");
  }

  void check_flow(const json::object& event, const thread& where, bool is_end) {
    if (!has(event, {{"ts", 'i'}, {"cat", 's'}, {"id", 'i'}})) return;
    if (is_end && (event.if_contains("bp") == nullptr || event.at("bp") != "e")) complain(event, "binds to the next slice");
    auto& ends = flows_[event.at("id").as_int64()];
    ends.push_back({where, event.at("ts").as_int64()});
    if (ends.size() != (is_end ? 2U : 1U)) complain(event, "flow with ends out of order");
  }

  void check_counter(const json::object& event) {
    if (!has(event, {{"ts", 'i'}, {"args", 'o'}})) return;
    const json::object& series = event.at("args").as_object();
    if (series.empty() || !std::all_of(series.begin(), series.end(), [](const auto& member) { return member.value().is_number(); }))
      complain(event, "counts nothing");
  }

  void check_metadata(const json::object& event, const thread& where) {
    if (!has(event, {{"args", 'o'}})) return;
    const std::string_view name(event.at("name").as_string());
    const json::object& values = event.at("args").as_object();
    if (name == "process_name" || name == "thread_name") {
      if (!has(values, {{"name", 's'}})) return;
      if (!names_.insert(name == "process_name" ? thread{where.first, -1} : where).second) complain(event, "second name");
    } else if (name == "process_sort_index" || name == "thread_sort_index") {
      has(values, {{"sort_index", 'i'}});
    } else {
      complain(event, "unknown metadata");
    }
  }

  struct outer_first {
    bool operator()(const range& one, const range& other) const {
      return one.first != other.first ? one.first < other.first : one.second > other.second;
    }
  };

  void check_nesting(const thread& where, const std::multiset<range, outer_first>& slices) {
    std::vector<std::int64_t> ends;
    for (const auto& [begin, end] : slices) {
      while (!ends.empty() && ends.back() <= begin) ends.pop_back();
      if (!ends.empty() && end > ends.back())
        complaints.push_back("slices of thread " + std::to_string(where.second) + " overlap at " + std::to_string(begin));
      ends.push_back(end);
    }
  }

  void check_flows() {
    for (const auto& [id, ends] : flows_) {
      const std::string flow = "flow " + std::to_string(id);
      if (ends.size() != 2) {
        complaints.push_back(flow + " has one end");
        continue;
      }
      if (ends[0].second > ends[1].second) complaints.push_back(flow + " goes back in time");
      for (const auto& [where, at] : ends) {
        const std::int64_t cycle = at;
        const auto& slices = slices_[where];
        if (std::none_of(slices.begin(), slices.end(), [&](const range& slice) { return slice.first <= cycle && cycle < slice.second; }))
          complaints.push_back(flow + " has an end in no slice");
      }
    }
  }

  std::set<thread> names_;
  std::map<thread, std::multiset<range, outer_first>> slices_;
  std::map<std::int64_t, std::vector<std::pair<thread, std::int64_t>>> flows_;
};

}  // namespace

std::vector<std::string> broken_trace_event_rules(const boost::json::value& document) {
  checker rules;
  rules.check(document);
  return rules.complaints;
}
