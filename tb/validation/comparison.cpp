// SPDX-License-Identifier: Apache-2.0
#include "comparison.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace tc::validation {

std::string full_title(const source& of) { return of.generation + ": " + of.title; }

std::string value_text(double value, const source& of) { return fmt::format("{:.{}f}", value, of.decimals); }

std::optional<double> error_percent(const comparison& value) {
  if (!value.model) return std::nullopt;
  return 100 * (*value.model - value.measured) / value.measured;
}

void score::add(const source& of, std::optional<basis> origin) {
  for (const comparison& value : of.values) {
    if (origin && value.origin != *origin) continue;
    ++values;
    if (value.origin == basis::fitted) ++fitted;
    const auto error = error_percent(value);
    if (!error) {
      ++unmodelled;
      continue;
    }
    const bool is_exact = value_text(*value.model, of) == value_text(value.measured, of);
    if (is_exact) ++exact;
    const double percent = is_exact ? 0 : *error;
    if (std::abs(percent) <= 2) ++within_2;
    sum_percent_ += std::abs(percent);
    if (std::abs(percent) > std::abs(worst_percent)) worst_percent = percent;
  }
  if (values > unmodelled) mean_percent = sum_percent_ / static_cast<double>(values - unmodelled);
}

void mean_over_sources::add(const source& of, std::optional<basis> origin) {
  score one;
  one.add(of, origin);
  if (one.modelled() == 0) return;
  percent = (percent * static_cast<double>(sources) + one.mean_percent) / static_cast<double>(sources + 1);
  ++sources;
}

bool is_unseen(const source& of) {
  return std::none_of(of.values.begin(), of.values.end(), [](const comparison& value) { return value.origin == basis::fitted; });
}

}  // namespace tc::validation
