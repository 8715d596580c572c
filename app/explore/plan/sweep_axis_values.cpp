// SPDX-License-Identifier: Apache-2.0
#include "sweep_axis_values.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <set>
#include <stdexcept>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <tc/config/json_text.hpp>
#include <tc/config/spelling.hpp>

namespace tcsim {

namespace {

namespace json = boost::json;

constexpr double tolerance = 1e-9;  ///< of a step, by which rounding may miss the end of a range

std::vector<axis_value> listed_values(const file_value& list) {
  std::vector<axis_value> values;
  const std::vector<file_value> elements = list.elements();
  if (elements.size() > most_axis_values) throw list.error(fmt::format("an axis has at most {} values", most_axis_values));
  for (const file_value& element : elements) {
    const json::value& value = element.value();
    if (!value.is_number() && !value.is_string() && !value.is_bool())
      throw element.error("a value of an axis is a number, a string or a boolean");
    values.push_back({value, element});
  }
  if (values.empty()) throw list.error("an axis needs at least one value");
  return values;
}

bool is_whole(double number) { return number == std::floor(number) && std::abs(number) < 9e15; }

/// 0.3 for 0.30000000000000004, which steps of 0.1 from 0 lead to.
double without_rounding(double number) { return is_whole(number) ? number : std::strtod(fmt::format("{:.12g}", number).c_str(), nullptr); }

/// Where a range begins and ends.
struct range_ends {
  double from = 0, to = 0;
  bool are_integers = false;
  bool are_relative = false;
};

range_ends ends_of(const file_value& range) {
  const file_value from = range.member("from"), to = range.member("to");
  const auto first = relative_factor(from.value()), last = relative_factor(to.value());
  if (first && last) return {*first, *last, false, true};
  if (first || last) throw(first ? to : from).error(R"(must be relative as the other end is, such as "x2")");
  return {from.number(), to.number(), !from.value().is_double() && !to.value().is_double(), false};
}

/// The numbers of a range: integers if it begins, ends and goes on with integers.
std::vector<axis_value> range_values(const file_value& range, const std::vector<double>& numbers, const range_ends& ends) {
  const bool all_whole = ends.are_integers && std::all_of(numbers.begin(), numbers.end(), is_whole);
  std::vector<axis_value> values;
  values.reserve(numbers.size());
  for (const double number : numbers) {
    if (ends.are_relative)
      values.push_back({json::value(fmt::format("x{:.12g}", number)), range});
    else
      values.push_back({all_whole ? json::value(static_cast<std::int64_t>(number)) : json::value(number), range});
  }
  return values;
}

/// Throws unless a range has a possible number of values; `steps` leads from its beginning to its end.
void check_length(const file_value& range, double steps) {
  if (!(steps < static_cast<double>(most_axis_values))) throw range.error(fmt::format("an axis has at most {} values", most_axis_values));
}

std::vector<axis_value> linear_values(const file_value& range) {
  range.require_keys({"from", "to", "step"});
  const range_ends ends = ends_of(range);
  const auto [from, to] = std::pair(ends.from, ends.to);
  const double step = range.has("step") ? range.member("step").number() : 1;
  if (step == 0) throw range.member("step").error("must not be 0");
  const double steps = (to - from) / step;
  if (steps < 0) throw range.error(fmt::format("steps of {:g} do not lead from {:g} to {:g}", step, from, to));
  check_length(range, steps);
  std::vector<double> numbers;
  for (double i = 0; i <= steps + tolerance; ++i) numbers.push_back(without_rounding(from + i * step));
  return range_values(range, numbers, ends);
}

std::vector<axis_value> logarithmic_values(const file_value& range) {
  range.require_keys({"from", "to", "factor"});
  const range_ends ends = ends_of(range);
  const auto [from, to] = std::pair(ends.from, ends.to);
  const double factor = range.has("factor") ? range.member("factor").number() : 2;
  for (const auto& [key, number] : {std::pair("from", from), std::pair("to", to), std::pair("factor", factor)})
    if (number <= 0) throw range.member(key).error("must be positive");
  if (factor == 1) throw range.member("factor").error("must not be 1");
  const double steps = std::log(to / from) / std::log(factor);
  if (steps < -tolerance) throw range.error(fmt::format("a factor of {:g} does not lead from {:g} to {:g}", factor, from, to));
  check_length(range, steps);
  std::vector<double> numbers;
  for (double i = 0; i <= steps + tolerance; ++i) numbers.push_back(without_rounding(from * std::pow(factor, i)));
  return range_values(range, numbers, ends);
}

}  // namespace

std::optional<double> relative_factor(const json::value& value) {
  const auto* const text = value.if_string();
  if (text == nullptr || text->size() < 2 || text->front() != 'x') return std::nullopt;
  const char *const begin = text->data() + 1, *const end = text->data() + text->size();
  double factor = 0;
  const auto [behind, error] = std::from_chars(begin, end, factor);
  const bool is_number = error == std::errc() && behind == end && std::isfinite(factor) && factor >= 0;
  return is_number ? std::optional(factor) : std::nullopt;
}

json::value multiple_of(const json::value& base, double factor) {
  if (!base.is_number())
    throw std::invalid_argument(fmt::format("\"x{:g}\" is a multiple of what there is without the axis, and that is no number: {}", factor,
                                            tc::config::compact_text(base)));
  const double product = without_rounding(base.to_number<double>() * factor);
  if (is_whole(product)) return static_cast<std::int64_t>(product);
  if (!base.is_double())
    throw std::invalid_argument(fmt::format("\"x{:g}\" of the {} that there is without the axis is {:.12g}, which is no whole number",
                                            factor, tc::config::compact_text(base), product));
  return product;
}

std::string canonical_text(const json::value& value) {
  return value.is_number() ? fmt::format("{}", value.to_number<double>()) : tc::config::compact_text(value);
}

const std::vector<std::string>& axis_value_keys() {
  static const std::vector<std::string> keys = {"values", "range", "log_range", "bases"};
  return keys;
}

std::vector<axis_value> axis_values(const file_value& axis) {
  const auto& keys = axis_value_keys();
  const auto has = [&](const std::string& key) { return axis.has(key); };
  if (std::count_if(keys.begin(), keys.end(), has) != 1)
    throw axis.error(fmt::format("an axis has one of the keys {}", tc::config::joined(keys)));
  const std::string key = *std::find_if(keys.begin(), keys.end(), has);
  const file_value from = axis.member(key);
  if (key == "bases") from.strings();
  if (key == "range") return linear_values(from);
  return key == "log_range" ? logarithmic_values(from) : listed_values(from);
}

void require_distinct(const std::vector<const std::vector<axis_value>*>& axes) {
  std::set<std::string> seen;
  for (std::size_t i = 0; i < axes.front()->size(); ++i) {
    std::string shown, canonical;
    for (const auto* const values : axes) {
      shown += (shown.empty() ? "" : " with ") + tc::config::compact_text((*values)[i].value);
      canonical += canonical_text((*values)[i].value) + '\n';
    }
    if (!seen.insert(canonical).second) throw(*axes.front())[i].place.error(fmt::format("{} stands here twice", shown));
  }
}

}  // namespace tcsim
