// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>

#include <tc/isa/asynchronous_operation.hpp>

namespace tcsim::random_programs {

/// The mbarriers of a CTA (PTX ISA, "Phase of the mbarrier object").
class barrier_objects {
 public:
  void execute(const tc::isa::barrier_operation& operation, unsigned active_lanes);
  void complete(std::uint32_t address, std::int64_t bytes);
  /// Whether the phase of a parity has completed.
  bool is_open(std::uint32_t address, bool parity) const { return barriers_.at(address).phase % 2 != (parity ? 1U : 0U); }

 private:
  struct object {
    std::int64_t expected = 0, pending = 0, bytes = 0;
    unsigned phase = 0;
  };

  static void advance(object& barrier);

  std::map<std::uint32_t, object> barriers_;
};

}  // namespace tcsim::random_programs
