// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string_view>

#include <tc/fabric/record_type.hpp>
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

}  // namespace tc::recording
