// SPDX-License-Identifier: Apache-2.0
#include "statistics_summary.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <system_error>

#include "lacking_units.hpp"

namespace tcsim {

namespace {

namespace json = boost::json;

/// "b_buffer" of "b_buffer_0": units that differ in their index alone are alike.
std::string_view without_index(std::string_view name) {
  const std::size_t behind = name.find_last_not_of("0123456789");
  const bool has_index = behind != std::string_view::npos && behind + 1 < name.size() && name[behind] == '_';
  return has_index ? name.substr(0, behind) : name;
}

/// The object in `root` for the kind of unit that has this object path. What is in an SM stands beside it.
json::object& place_of(json::object& root, std::string_view path) {
  json::object* place = &root;
  bool is_first = true;
  for (std::size_t begin = 0; begin < path.size();) {
    const std::size_t end = std::min(path.find('.', begin), path.size());
    const std::string_view name = without_index(path.substr(begin, end - begin));
    const bool is_last = end == path.size();
    const bool is_shell = is_first || (name == "sm" && !is_last);
    if (!is_shell || is_last) {
      json::value& member = (*place)[name];
      if (!member.is_object()) member.emplace_object();
      place = &member.get_object();
    }
    is_first = false;
    begin = end + 1;
  }
  return *place;
}

/// Adds the integers of `numbers` to those in `sums`, also in the objects in it. Real numbers are ratios, which do not add up.
void add(json::object& sums, const json::object& numbers) {
  for (const auto& [name, number] : numbers) {
    if (const auto* const inner = number.if_object()) {
      json::value& member = sums[name];
      if (!member.is_object()) member.emplace_object();
      add(member.get_object(), *inner);
    } else if (!number.is_double() && number.is_number()) {
      json::value& sum = sums[name];
      sum = (sum.is_number() ? sum.to_number<std::uint64_t>() : 0) + number.to_number<std::uint64_t>();
    }
  }
}

json::object summed(const json::object& objects) {
  json::object sums;
  for (const auto& [path, numbers] : objects)
    if (const auto* const counters = numbers.if_object()) add(place_of(sums, path), *counters);
  return sums;
}

/// A count of bytes, of all results that a trace says what they are to be. Statistics of earlier versions may lack it.
std::uint64_t sum_of(const json::array& expectations, std::string_view count) {
  std::uint64_t sum = 0;
  for (const json::value& expectation : expectations)
    if (const json::value* const bytes = expectation.as_object().if_contains(count)) sum += bytes->to_number<std::uint64_t>();
  return sum;
}

/// Of objects that each have one number: that number added up, under a key of its own, since a unit may stand beside what is in it.
json::object summed(const json::object& objects, std::string_view key) {
  json::object sums;
  for (const auto& [path, number] : objects) {
    json::value& sum = place_of(sums, path)[key];
    sum = (sum.is_double() ? sum.get_double() : 0.0) + number.to_number<double>();
  }
  return sums;
}

json::object energy_summary(json::object energy) {
  if (const json::value* const units = energy.if_contains("units"); units != nullptr && units->is_object())
    energy["units"] = summed(units->get_object(), "nj");
  return energy;
}

}  // namespace

json::object statistics_summary(const json::object& statistics) {
  json::object summary;
  for (const auto& [key, value] : statistics) {
    if (key == "config" || key == "host" || key == "clock_reads" || key == "warps") continue;
    if (key == "energy" && value.is_object()) {
      summary[key] = energy_summary(value.get_object());
      continue;
    }
    const bool is_by_object = (key == "units" || key == "utilisation") && value.is_object();
    summary[key] = is_by_object ? json::value(summed(value.get_object())) : value;
    if (key == "expect" && value.is_array() && !value.get_array().empty())
      for (const std::string_view count : {"mismatches", "undefined"}) summary[count] = sum_of(value.get_array(), count);
  }
  if (const auto* const configuration = statistics.if_contains("config"); configuration != nullptr && configuration->is_object())
    remove_lacking_units(summary, configuration->get_object());
  return summary;
}

namespace {

/// Member or element of this name; null if there is none.
const json::value* child(const json::value& parent, std::string_view name) {
  if (const auto* const object = parent.if_object()) return object->if_contains(name);
  const auto* const array = parent.if_array();
  std::size_t index = 0;
  const auto* const end = name.data() + name.size();
  const auto read = std::from_chars(name.data(), end, index);
  return array != nullptr && read.ec == std::errc() && read.ptr == end ? array->if_contains(index) : nullptr;
}

}  // namespace

std::optional<json::value> measured(const json::object& statistics, std::string_view path) {
  std::size_t end = std::min(path.find('.'), path.size());
  const json::value* place = statistics.if_contains(path.substr(0, end));
  while (place != nullptr && end < path.size()) {
    const std::size_t begin = end + 1;
    end = std::min(path.find('.', begin), path.size());
    place = child(*place, path.substr(begin, end - begin));
  }
  if (place == nullptr) return std::nullopt;
  if (place->is_bool()) return std::int64_t{place->get_bool()};
  if (!place->is_number()) return std::nullopt;
  return *place;
}

}  // namespace tcsim
