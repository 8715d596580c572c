// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <vector>

#include <tc/execution/defined_bytes.hpp>
#include <tc/execution/program.hpp>
#include <tc/execution/undefined_registers.hpp>
#include <tc/execution/undefined_values.hpp>
#include <tc/trace/lanes.hpp>

namespace tc::execution {

/// What is defined of the values of a CTA.
struct undefined_values::cta_values {
  std::vector<undefined_registers> warps;
  defined_bytes shared;
  std::map<unsigned, defined_bytes> local;  ///< by thread
  undefined_lanes votes;                    ///< of the last reduction at a barrier
};

/// Bytes that one lane accesses.
struct accessed_range {
  unsigned lane = 0;
  defined_bytes* bytes = nullptr;  ///< of the memory that they are in
  std::uint64_t address = 0;       ///< in that memory
  unsigned count = 0;
};

/// An instruction that is about to be executed.
struct undefined_values::access {
  const warp_state& warp;
  const operation& op;
  std::uint32_t mask;
  const trace::address_list& addresses;
  cta_values& cta;
  undefined_registers& registers;
  defined_bytes& global;

  /// The bytes of a lane at an address of the instruction's memory; global memory comes into being.
  accessed_range range_of(unsigned lane, std::uint64_t address, isa::memory_space space, unsigned bytes) const;
  /// Of all lanes with an address, with the bytes that the instruction accesses there.
  template <class Visit>
  void for_each_range(const Visit& visit) const {
    const trace::memory_access& access = accesses();
    const unsigned bytes = std::max(access.bytes, op.access_bytes);
    trace::for_each_lane(addresses.lanes() & access.used,
                         [&](unsigned lane) { visit(range_of(lane, addresses[lane], access.space, bytes)); });
  }
  const trace::memory_access& accesses() const;
};

}  // namespace tc::execution
