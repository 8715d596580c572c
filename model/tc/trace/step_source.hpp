// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

namespace tc::trace {

/// Where the packed steps of all warps lie, one warp behind the other. It keeps no position, so any number of players may take turns.
class step_source {
 public:
  virtual ~step_source() = default;

  /// Bytes that are best read at once.
  virtual std::size_t piece_bytes() const = 0;
  /// Reads some of the `count` bytes from `offset` on, at least one, and as many as there are up to the end of a piece. Returns how many.
  virtual std::size_t read(std::uint64_t offset, std::uint8_t* destination, std::size_t count) const = 0;
  /// Checks what is only read when it is needed. Throws trace_error if it is damaged.
  virtual void verify() const {}
  /// Whether the steps come from a file, so that each is to be checked when it is played. Others have been.
  virtual bool is_foreign() const { return false; }

 protected:
  step_source() = default;
  step_source(const step_source&) = default;
  step_source& operator=(const step_source&) = default;
};

}  // namespace tc::trace
