// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include <tc/trace/address_list.hpp>

namespace tc::kernels {

/// Takes the instructions that a warp executes, one after the other: a text, or a trace.
class listing_target {
 public:
  virtual ~listing_target() = default;
  /// `code` is `[control] [@predicate] OPCODE operands`; without a mask, of which the text says nothing then, all lanes are active.
  virtual void add(std::uint32_t pc, std::string_view code, std::optional<trace::lane_mask> mask, const trace::address_list& addresses) = 0;

 protected:
  listing_target() = default;
  listing_target(const listing_target&) = default;
  listing_target& operator=(const listing_target&) = default;
};

}  // namespace tc::kernels
