// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

#include <boost/json.hpp>

namespace tcsim {

/// The statistics of a run as results keep them: as `tcsim run --stats` has them, without `config`, `host`, `clock_reads` and `warps`, and
/// with the objects of `units` and `utilisation` added up over SMs, sub-cores and equal units: the counters of
/// `gpu.sm_0.sub_core_1.tensor.b_buffer_0` and its like stand under `units.sub_core.tensor.b_buffer`. Ratios are left out there. The energy
/// of the same units, `energy.units`, is added up as well, and stands under `energy.units.sub_core.tensor.b_buffer.nj`. So their size does
/// not depend on that of the machine. Counts of what the machine lacks are left out (lacking_units.hpp). `mismatches` is the sum of those
/// in `expect`, if anything is expected.
boost::json::object statistics_summary(const boost::json::object& statistics);

/// The number at a path in the statistics of a run, such as `stalls.wait_mask` or `kernels.0.cycles`: an integer or a real one; true and
/// false are 1 and 0. Nothing if there is none: a counter that a machine does not have.
std::optional<boost::json::value> measured(const boost::json::object& statistics, std::string_view path);

}  // namespace tcsim
