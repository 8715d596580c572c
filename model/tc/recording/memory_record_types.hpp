// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <tc/fabric/record_type.hpp>

namespace tc::recording {

inline constexpr std::string_view tlm_commands[] = {"read", "write", "ignore"};  // by the value of the attribute
inline constexpr fabric::record_attribute command_attribute{"command", fabric::attribute_kind::choice, 2, tlm_commands, 3};
inline constexpr fabric::record_attribute address_attribute{"address", fabric::attribute_kind::address, 48};

/// Of an initiator of a memory.
inline constexpr fabric::record_type transaction_type{
    "transaction",
    "A transaction with a memory, from where the request arrives to the answer",
    {{command_attribute, address_attribute, {"bytes", fabric::attribute_kind::number, 16}, {"warp", fabric::attribute_kind::number, 6}}},
    8};

/// Of a chunk of tensor memory. Lanes are those of the whole memory.
inline constexpr std::string_view cell_access_kinds[] = {"read", "write", "shift", "clear"};
inline constexpr fabric::record_type cell_access_type{
    "access",
    "Cells are read or written, move to the lane before, or begin a new life without content",
    {{{"kind", fabric::attribute_kind::choice, 2, cell_access_kinds, 4},
      {"first_lane", fabric::attribute_kind::number, 7},
      {"lanes", fabric::attribute_kind::number, 6},
      {"first_column", fabric::attribute_kind::number, 9},
      {"columns", fabric::attribute_kind::number, 10},
      {"link", fabric::attribute_kind::text, 0}}},
    8};

// Of who asks an asynchronous unit of the SM for something.
inline constexpr std::string_view barrier_actions[] = {"initialise", "invalidate", "arrive",    "arrive_expect",
                                                       "expect",     "complete",   "test_wait", "wait"};  // as isa::barrier_action
inline constexpr fabric::record_type barrier_type{"barrier",
                                                  "A request to an mbarrier, from where it arrives to the answer",
                                                  {{{"action", fabric::attribute_kind::choice, 3, barrier_actions, 8}, address_attribute}},
                                                  6};
inline constexpr std::string_view copy_directions[] = {"to_shared", "to_global"};
inline constexpr fabric::record_type bulk_copy_type{"bulk_copy",
                                                    "A bulk copy, until its last byte is written",
                                                    {{{"direction", fabric::attribute_kind::choice, 1, copy_directions, 2}}},
                                                    6};
inline constexpr fabric::record_type allocation_type{
    "tensor_allocation", "Columns of tensor memory are allocated or freed, from the request to where the warp goes on", {}, 2};

}  // namespace tc::recording
