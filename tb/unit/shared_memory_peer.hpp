// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <systemc>

#include <tc/links/shared_memory_initiator.hpp>

namespace tc::test {

/// A unit of an SM, as far as shared memory knows.
class shared_memory_peer final : public sc_core::sc_module {
 public:
  links::shared_memory_initiator link{"link", [this](auto&) { ++done; }};
  unsigned done = 0;  ///< accesses that have been answered

  explicit shared_memory_peer(const sc_core::sc_module_name& name) : sc_module(name) {}
};

}  // namespace tc::test
