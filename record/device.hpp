// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "variant.hpp"

namespace tc::record {

/// The GPU that records, and what this program's device code was compiled for.
struct device_description {
  std::string name;
  unsigned capability = 0;         ///< 10 * major + minor
  unsigned target_capability = 0;  ///< of the code that runs on it; an older one runs too but lacks newer instructions
  bool target_has_wgmma = false;   ///< whether it was compiled with Hopper's own instructions (sm_90a)
};

/// Throws std::runtime_error if there is no GPU that can run the program, as all functions here do on an error of the GPU.
device_description describe_device();

/// Whether the device can execute the variant, with its tensor cores or by an expansion, in code compiled as this is.
inline bool can_execute(const device_description& device, const variant& v) {
  return v.is_wgmma() ? device.target_has_wgmma : device.target_capability >= v.capability;
}

/// Executes the cases of a vector file, of the variant that `variants` has at `index`: reads their A, B and C and fills in D.
void multiply_fragments(unsigned index, std::vector<std::uint32_t>& cases);

/// A stream of matrix instructions: each warp executes `chains` chains of `length` instructions in turn. A chain's instructions depend on
/// each other through the accumulator, and each chain starts from accumulators of its own.
struct stream_shape {
  unsigned warps, chains, length;
};

/// The streams that are timed for each variant.
std::vector<stream_shape> stream_shapes();

/// Cycles between clock reads before and after the stream: the smallest of four repetitions, the largest over the warps. The variant must
/// be one that is timed and native on the device.
std::uint64_t time_stream(unsigned index, const stream_shape& shape);

}  // namespace tc::record
