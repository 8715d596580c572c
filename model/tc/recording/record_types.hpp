// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

#include <tc/fabric/record.hpp>
#include <tc/links/stall_cause.hpp>

namespace tc::recording {

/// The keys of the causes of stalls, by the number of the cause.
constexpr std::array<std::string_view, links::stall_causes> keys_of_stall_causes() {
  std::array<std::string_view, links::stall_causes> keys{};
  for (std::size_t c = 0; c < keys.size(); ++c) keys[c] = links::stall_cause_table[c].key;
  return keys;
}
inline constexpr std::array<std::string_view, links::stall_causes> stall_cause_keys = keys_of_stall_causes();

inline constexpr fabric::record_attribute cause_attribute{"cause", fabric::attribute_kind::choice, 5, stall_cause_keys.data(),
                                                          stall_cause_keys.size()};
inline constexpr fabric::record_attribute slot_attribute{"warp", fabric::attribute_kind::number, 6};
inline constexpr fabric::record_attribute pc_attribute{"pc", fabric::attribute_kind::address, 32};
inline constexpr fabric::record_attribute opcode_attribute{"opcode", fabric::attribute_kind::text, 8 * 16};

// Of a warp slot, "<sub-core>.warp_<slot>".
inline constexpr fabric::record_type resident_type{
    "resident", "A warp has the slot, from its launch until nothing of it is in flight", {{{"kernel"}, {"cta"}, {"warp"}}}};
inline constexpr fabric::record_type instruction_type{"instruction",
                                                      "A warp instruction, from its issue to where its results are visible",
                                                      {{opcode_attribute,
                                                        {"text", fabric::attribute_kind::text, 0},
                                                        pc_attribute,
                                                        {"line"},
                                                        {"kernel"},
                                                        {"cta"},
                                                        {"warp"},
                                                        {"mask", fabric::attribute_kind::address, 32}}},
                                                      8};
inline constexpr fabric::record_type stall_type{"stall", "The warp waits with its next instruction", {{cause_attribute, pc_attribute}}};
inline constexpr fabric::record_type dependence_type{"dependence",
                                                     "An instruction that issues reads what an earlier one, the producer, has written",
                                                     {{{"producer", fabric::attribute_kind::record, 0}}},
                                                     4};

/// Of a dependence counter, "<sub-core>.warp_<slot>.sb_<counter>".
inline constexpr fabric::record_type dependence_counter_type{
    "dependence_counter", "An instruction holds the counter; as many as do are its value", {}, 6};

// Of a scheduler.
inline constexpr fabric::record_type issue_type{
    "issue", "An instruction leaves the scheduler; takes a cycle", {{slot_attribute, pc_attribute, opcode_attribute}}};
inline constexpr fabric::record_type empty_slot_type{"empty_slot", "No instruction leaves the scheduler", {{cause_attribute}}};

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
