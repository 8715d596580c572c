// SPDX-License-Identifier: Apache-2.0
#include "warp_picture.hpp"

#include <algorithm>

#include <tc/observe/record_attributes.hpp>

namespace tc::observe {

namespace json = boost::json;

std::size_t warp_picture::warp_of(const fabric::record_stream& stream) {
  const auto [place, is_new] = index_.emplace(stream.path(), warps_.size());
  if (is_new) warps_.emplace_back(stream.path());
  return place->second;
}

void warp_picture::write(const fabric::record_event& event) {
  if (event.what == fabric::record_event::edge::begin)
    begin(event);
  else
    end(event);
}

void warp_picture::begin(const fabric::record_event& event) {
  span made{what::stall, event.cycle, event.cycle, 0, 0, 0, 0, warp_of(*event.stream), false};
  const std::string_view type = event.stream->type().name;
  if (type == "instruction") {
    made.kind = what::instruction;
    made.counted = window_.instruction_begins(event.cycle);
    made.text = texts_.number(attribute_text(event, "text"));
    made.first = attribute_number(event, "pc");
    made.second = attribute_number(event, "line");
    texts_.instruction_begins(event.id, made.text);
  } else if (type == "resident") {
    made.kind = what::resident;
    made.first = attribute_number(event, "kernel");
    made.second = attribute_number(event, "cta");
    made.third = attribute_number(event, "warp");
  } else {
    made.text = texts_.number(attribute_text(event, "cause"));
  }
  open_.emplace(event.id, made);
}

/// An instruction that takes no time is there in the cycle of its issue. In a window of instructions those that it counted are in it.
bool warp_picture::is_in_window(const span& ended) const {
  if (ended.kind == what::instruction && (!ended.counted || window_.of_instructions())) return ended.counted;
  if (ended.kind != what::instruction && ended.begins == ended.ends) return false;
  return window_.covers(ended.begins, std::max(ended.ends, ended.begins + 1));
}

void warp_picture::end(const fabric::record_event& event) {
  const auto begun = open_.find(event.id);
  if (begun == open_.end()) return;
  span ended = begun->second;
  open_.erase(begun);
  ended.ends = event.cycle;
  if (ended.counted) window_.instruction_ended(event.cycle);
  if (!is_in_window(ended) || ++records_ > most_records) return;
  latest_ = std::max(latest_, ended.begins);
  spans_.push_back(ended);
}

json::object warp_picture::warp_json(std::size_t warp, const std::vector<const span*>& spans) const {
  const std::string_view path = warps_[warp];
  json::array residents, instructions, stalls;
  for (const span* const each : spans) {
    json::array numbers{each->begins, each->ends};
    switch (each->kind) {
      case what::resident:
        for (const std::uint64_t number : {each->first, each->second, each->third}) numbers.emplace_back(number);
        residents.push_back(std::move(numbers));
        break;
      case what::instruction:
        numbers.emplace_back(each->text);
        for (const std::uint64_t number : {each->first, each->second}) numbers.emplace_back(number);
        instructions.push_back(std::move(numbers));
        break;
      case what::stall:
        numbers.emplace_back(each->text);
        stalls.push_back(std::move(numbers));
        break;
    }
  }
  return {{"path", json::string(path.data(), path.size())},
          {"resident", std::move(residents)},
          {"instructions", std::move(instructions)},
          {"stalls", std::move(stalls)}};
}

json::array warp_picture::json(cycle_t last) const {
  std::vector<span> all = spans_;
  for (const auto& [id, open] : open_) {
    span cut = open;
    cut.ends = last;
    if (open.begins < last && is_in_window(cut)) all.push_back(cut);
  }
  std::sort(all.begin(), all.end(), [](const span& x, const span& y) {
    return x.begins != y.begins ? x.begins < y.begins : x.ends != y.ends ? x.ends < y.ends : x.first < y.first;
  });
  std::vector<std::vector<const span*>> of_warps(warps_.size());
  for (const span& each : all) of_warps[each.warp].push_back(&each);
  std::vector<std::size_t> order(warps_.size());
  for (std::size_t w = 0; w < order.size(); ++w) order[w] = w;
  std::sort(order.begin(), order.end(), [&](std::size_t x, std::size_t y) {
    return warps_[x].size() != warps_[y].size() ? warps_[x].size() < warps_[y].size() : warps_[x] < warps_[y];
  });
  json::array list;
  for (const std::size_t warp : order) list.push_back(warp_json(warp, of_warps[warp]));
  return list;
}

}  // namespace tc::observe
