// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <ostream>
#include <string>
#include <vector>

namespace tc::silicon {

/// Independent accesses of some warps of an SM to memory, one issued in every cycle that lets it.
struct access_stream {
  std::string access;           ///< such as "LDS R4, [R2]"
  std::string addresses;        ///< of the first lane or row, and bytes to the next
  std::vector<unsigned> warps;  ///< warp w runs on sub-core w modulo 4
  double cycles = 0;            ///< of the SM from one access to the next, measured
};

std::ostream& operator<<(std::ostream& out, const access_stream& stream);

/// What was measured on an H200.
std::vector<access_stream> measured_access_streams();

/// Cycles of the SM from one access to the next on a Hopper: the difference of streams of two lengths on two SMs, which leaves out
/// everything but the accesses.
double cycles_of(const access_stream& stream);

}  // namespace tc::silicon
