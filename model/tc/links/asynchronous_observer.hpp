// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include <systemc>

#include <tc/fabric/proxy_access.hpp>
#include <tc/warp/warp_context.hpp>

namespace tc::links {

/// The instruction of a warp that an asynchronous unit works on.
struct asynchronous_origin {
  const warp::warp_context* warp = nullptr;
  const isa::instruction* code = nullptr;
  std::uint32_t line = 0;  ///< of the trace
};

/// Who wants to know what asynchronous units, and others that read what these write, find in shared memory. Calls come once for each
/// instruction and kind of finding.
class asynchronous_observer : public virtual sc_core::sc_interface {
 public:
  /// A unit reads bytes that it cannot rely on, the first of them at an address of the CTA's window.
  virtual void unordered_read(const asynchronous_origin& reader, fabric::proxy_hazard hazard, std::uint64_t address) = 0;

  /// A unit finds that an instruction breaks a rule of order; `what` continues a sentence that begins with the instruction.
  virtual void ordering_hazard(const asynchronous_origin& instruction, const std::string& what) = 0;

  /// A unit reads bytes that nobody has written.
  virtual void undefined_read(const asynchronous_origin& reader, std::uint64_t address) = 0;
};

}  // namespace tc::links
