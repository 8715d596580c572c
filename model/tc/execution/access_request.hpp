// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include <tc/warp/lane_vector.hpp>

namespace tc::execution {

class warp_state;
struct operation;

/// An access to memory between its issue and when memory performs it: all that it takes from registers, which other instructions may write
/// meanwhile.
struct access_request {
  using address_array = std::array<std::uint64_t, warp::lanes_per_warp>;
  using register_values = std::array<warp::lane_vector, 4>;

  const operation* op = nullptr;
  std::uint32_t mask = 0;   ///< lanes that execute it
  std::uint32_t lanes = 0;  ///< those of them whose condition holds: in the others a load gives zero, and a copy writes zeros
  address_array addresses{};
  address_array sources{};        ///< of a copy: where its bytes come from
  register_values data{};         ///< that are stored or copied, or the operand of an atomic operation
  register_values replacement{};  ///< the second operand of an atomic operation
};

/// The parts of an access.
struct access_parts {
  /// Takes from registers what the access needs. Throws kernel_fault.
  void (*issue)(const warp_state& warp, const operation& op, std::uint32_t mask, access_request& request);
  /// Accesses memory, and writes what was loaded. Throws kernel_fault.
  void (*perform)(warp_state& warp, access_request& request);
  /// Of a copy, which has been read: writes it to shared memory; null of others. Throws kernel_fault.
  void (*arrive)(warp_state& warp, const access_request& request) = nullptr;
};

/// Null if the operation accesses no memory, or none that others can change.
const access_parts* find_access(const operation& op);

}  // namespace tc::execution
