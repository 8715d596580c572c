// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <boost/json.hpp>

#include "file_value.hpp"

namespace tcsim {

/// An axis has no more.
inline constexpr std::size_t most_axis_values = 1'000'000;

/// A value of an axis, and what stands for it in the sweep file: itself, or the range that it is of.
struct axis_value {
  boost::json::value value;  ///< a number, a string or a boolean; "x0.5": relative, see relative_factor()
  file_value place;
};

/// 0.5 of "x0.5", which stands for half of what the base has; nothing for any other value.
std::optional<double> relative_factor(const boost::json::value& value);

/// `factor` times a number; a whole number of a whole one. Throws std::invalid_argument, which says why, if that is none, or `base` is no
/// number.
boost::json::value multiple_of(const boost::json::value& base, double factor);

/// A text so that equal values have equal texts: 1 and 1.0, also.
std::string canonical_text(const boost::json::value& value);

/// The values of an axis from one of the keys that axis_value_keys() names. Throws config_error for values that are none or are more than
/// 1,000,000, and for a range that does not lead from its beginning to its end.
std::vector<axis_value> axis_values(const file_value& axis);

/// Throws config_error if axes that move together, or a single one, have the same values twice. 1 and 1.0 are the same.
void require_distinct(const std::vector<const std::vector<axis_value>*>& axes);

/// values, range, log_range, bases.
const std::vector<std::string>& axis_value_keys();

}  // namespace tcsim
