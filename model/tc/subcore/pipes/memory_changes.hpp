// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <tc/fabric/base_protocol_initiator.hpp>
#include <tc/links/warp_instruction.hpp>
#include <tc/subcore/pipes/access_plan.hpp>
#include <tc/subcore/pipes/memory_access.hpp>
#include <tc/subcore/pipes/untimed_access.hpp>

namespace tc::subcore {

/// What atomic operations and copies from global to shared memory (LDGSTS) change in memory, when their access is answered. Their time is
/// that of the read that the unit sends for them.
class memory_changes {
 public:
  memory_changes(links::shared_memory_initiator& shared, fabric::base_protocol_initiator& global) : shared_(shared), global_(global) {}

  /// What is wrong with a change: a message type and a text for it.
  struct failure {
    const char* type = nullptr;
    std::string text;
  };

  /// What a copy has read goes to where the registers of the instruction say. Lanes whose predicate is false put zeros there (PTX ISA,
  /// cp.async, ignore-src). If registers do not tell where to, all of the CTA's shared memory is undefined.
  std::optional<failure> copy(const links::warp_instruction& instruction, const access_plan& plan, const access_buffer& read);

  /// An atomic operation or reduction: lane by lane, the lowest first. Fills in the results. Of a form that is not computed, bytes and
  /// results are undefined.
  std::optional<failure> combine(links::warp_instruction& instruction, const memory_operation& operation);

 private:
  untimed_shared_access shared_;
  untimed_global_access global_;
};

}  // namespace tc::subcore
