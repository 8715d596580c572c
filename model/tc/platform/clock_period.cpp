// SPDX-License-Identifier: Apache-2.0
#include "clock_period.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include <tc/fabric/reports.hpp>
#include <tc/platform/device_reports.hpp>

namespace tc::platform {

sc_core::sc_time clock_period(double clock_mhz, std::string_view object_path) {
  constexpr double picoseconds = 1e12, coarsest = 0.01;
  const double exact = 1e6 / clock_mhz, resolution = sc_core::sc_get_time_resolution().to_seconds() * picoseconds;
  if (resolution > coarsest * exact)
    fabric::error(
        report::device_clock, object_path,
        fmt::format("a clock of {} MHz has a period of {:.3f} ps; the time resolution, {:.6g} ps, is coarser than 1 % of it: call "
                    "sc_core::sc_set_time_resolution(1, sc_core::{}) before anything else",
                    clock_mhz, exact, resolution, coarsest * exact < 1 ? "SC_FS" : "SC_PS"));
  const auto period = sc_core::sc_time::from_value(static_cast<sc_dt::uint64>(std::max(1.0, std::round(exact / resolution))));
  const std::string text =
      fmt::format("{}: the period of {} MHz, {:.3f} ps, is rounded to {}", object_path, clock_mhz, exact, period.to_string());
  sc_core::sc_report_handler::report(sc_core::SC_INFO, report::device_clock, text.c_str(), __FILE__, __LINE__);
  return period;
}

}  // namespace tc::platform
