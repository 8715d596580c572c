// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <tc/fabric/record_type.hpp>

namespace tc::recording {

inline constexpr fabric::record_attribute warp_attribute{"warp", fabric::attribute_kind::number, 6};
inline constexpr fabric::record_attribute row_attribute{"row", fabric::attribute_kind::number, 16};
inline constexpr fabric::record_attribute registers_attribute{"registers", fabric::attribute_kind::number, 6};

// Of an operand fetch.
inline constexpr fabric::record_type operand_fetch_type{
    "operand_fetch", "An instruction gathers its operands, from its issue to its dispatch", {{warp_attribute}}, 6};
inline constexpr fabric::record_type reuse_hit_type{
    "reuse_hit", "An instruction that issues takes registers from the reuse cache", {{warp_attribute, registers_attribute}}, 2};
inline constexpr fabric::record_type standstill_type{
    "standstill", "The stages behind issue stand still, because an instruction has not all that it needs", {{warp_attribute}}};

// Of a register bank. Of several registers, `row` is that of the first, in the bank.
inline constexpr fabric::record_type bank_read_type{
    "read", "The read port is given to an instruction", {{warp_attribute, row_attribute, registers_attribute}}, 4};
inline constexpr fabric::record_type bank_conflict_type{"conflict", "A read waits for the port", {{warp_attribute}}, 4};
inline constexpr fabric::record_type bank_write_type{
    "write", "A result is written; visible from the begin on", {{warp_attribute, row_attribute, registers_attribute}}, 4};
inline constexpr std::string_view access_commands[] = {"read", "write"};
inline constexpr fabric::record_type bank_accumulator_type{
    "accumulator",
    "The tensor core, or a load or store of tensor memory, reads or writes over its own port",
    {{{"command", fabric::attribute_kind::choice, 1, access_commands, 2}, warp_attribute, row_attribute, registers_attribute}},
    6};

// Of an execution unit.
inline constexpr fabric::record_type execute_type{
    "execute", "An instruction is in the unit, from its dispatch to its result", {{warp_attribute}}, 8};
inline constexpr fabric::record_type write_back_type{
    "write_back", "A result goes to the registers; visible from the end on", {{warp_attribute, registers_attribute}}, 4};

// Of a tensor unit.
inline constexpr fabric::record_type operand_transfer_type{
    "operand_transfer", "The operand buses bring the operands of a matrix instruction", {{warp_attribute}}, 2};
inline constexpr fabric::record_attribute tile_attribute{"tile", fabric::attribute_kind::number, 4};
inline constexpr fabric::record_type a_tile_type{"a_tile", "A tile of the A buffer is in use", {{tile_attribute}}, 4};
inline constexpr fabric::record_type b_tile_type{"b_tile", "A tile of the B buffer is in use", {{tile_attribute}}, 4};
inline constexpr fabric::record_type accumulator_tile_type{
    "accumulator_tile", "A tile of the accumulator buffer is in use", {{tile_attribute}}, 4};
inline constexpr fabric::record_type dot_product_type{"dot_product", "The dot-product units are taken", {}, 2};
inline constexpr fabric::record_type pass_type{"pass",
                                               "A cycle in which the dot-product units start products of a matrix instruction",
                                               {{{"number", fabric::attribute_kind::number, 8}}},
                                               1,
                                               true};

// Of a load-store unit, and of a tensor engine.
inline constexpr fabric::record_type queued_type{
    "queued", "An instruction is in the unit's queue; as many as are is its depth", {{warp_attribute}}, 6};
inline constexpr std::string_view shared_access_kinds[] = {"load", "store", "matrix"};
inline constexpr fabric::record_type shared_access_type{
    "shared_access",
    "An access of a warp to shared memory; conflicts are wavefronts needed only because several words lie in one bank",
    {{{"kind", fabric::attribute_kind::choice, 2, shared_access_kinds, 3},
      warp_attribute,
      {"wavefronts", fabric::attribute_kind::number, 8},
      {"conflicts", fabric::attribute_kind::number, 8}}},
    6};

}  // namespace tc::recording
