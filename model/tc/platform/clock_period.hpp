// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <systemc>

namespace tc::platform {

/// The period of a clock of so many MHz, rounded to the time resolution of the simulation. Reports both numbers (report::device_clock) for
/// the object of this path; a resolution that is coarser than 1 % of the period is an error.
sc_core::sc_time clock_period(double clock_mhz, std::string_view object_path);

}  // namespace tc::platform
