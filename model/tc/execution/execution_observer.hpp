// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include <tc/warp/kernel_constants.hpp>

namespace tc::execution {

class global_memory;
class warp_state;
struct operation;

/// Told what warps do.
class execution_observer {
 public:
  virtual ~execution_observer() = default;

  /// The launch begins, with this memory and these constants.
  virtual void begins(const global_memory& /*memory*/, const warp::constant_memory& /*constants*/) {}
  /// A warp is about to execute an operation in the lanes of a mask, which may be empty. Returns the lanes in which it does: `mask`, or
  /// fewer. In the others it leaves everything as it is.
  virtual std::uint32_t executes(const warp_state& warp, const operation& op, std::uint32_t mask) = 0;
  /// All warps of a CTA have ended.
  virtual void ended(std::uint64_t cta) = 0;

 protected:
  execution_observer() = default;
  execution_observer(const execution_observer&) = default;
  execution_observer& operator=(const execution_observer&) = default;
};

}  // namespace tc::execution
