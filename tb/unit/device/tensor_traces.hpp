// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "test_machine.hpp"

// Traces with instructions on tensor memory, written in pieces.

namespace tc::device::test::tensor {

inline constexpr unsigned first_register = 8, loaded_register = 64;
inline constexpr unsigned addresses = 0x400;       ///< in shared memory, of allocations: 4 bytes for each
inline constexpr std::uint64_t results = 0x10000;  ///< in global memory, 128 bytes for each register

inline constexpr const char* relinquish = "tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned\n";
inline constexpr const char* wait_for_loads = "tcgen05.wait::ld.sync.aligned\n";
inline constexpr const char* wait_for_stores = "tcgen05.wait::st.sync.aligned\n";
inline constexpr const char* read_clock = "/*0000*/ CS2R R4, SR_CLOCKLO\n";
inline constexpr const char* leave = "/*f000*/ EXIT\n";

/// The header of a kernel for sm_100; more header lines may follow.
std::string header(unsigned ctas = 1, unsigned warps = 1, const std::string& more = "");
/// A warp that is alone, with its presets and instructions up to its EXIT.
std::string one_warp(const std::string& body, const std::string& more = "");

/// Of columns whose address goes to the `place`th word at `addresses`.
std::string allocate(unsigned columns, unsigned place = 0);
std::string deallocate(unsigned first, unsigned columns);
/// `form`: shape, repetition and packing, "32x32b.x4"; `offset`: behind the address of .16x32bx2.
std::string load(const std::string& form, unsigned count, unsigned address, unsigned first = loaded_register,
                 const std::string& offset = "");
std::string store(const std::string& form, unsigned count, unsigned address, unsigned first = first_register,
                  const std::string& offset = "");
std::string pause(unsigned instructions);

/// Lane and column of a cell; what the tests write there is tag().
struct cell {
  unsigned lane, column;
};
constexpr unsigned tag(cell at) { return 1000 * at.lane + at.column; }

/// A value for lane l of register i, at (l, i).
using register_values = std::function<unsigned(unsigned, unsigned)>;
/// Preset registers from `first` on; those of which register i holds the tags of column i; and the addresses that write_results() takes.
std::string presets(unsigned count, const register_values& values, unsigned first = first_register);
std::string tagged_columns(unsigned count);
/// Writes registers from `first` on to where expectation() looks for them.
std::string write_results(unsigned count, unsigned first = loaded_register);
std::string expectation(unsigned count, const register_values& values);

/// Of a run on the B200's preset, with monitors on all links.
accounting::run_result result_of(const std::string& text, const std::vector<std::string>& assignments = {}, bool data = true);
/// The kernel does what it should, and nothing that deserves a warning.
void expect_finished(const accounting::run_result& result);
/// Cycles between the clock reads of a run, the slot of a clock read itself not among them.
std::vector<std::uint64_t> intervals(const accounting::run_result& result);

}  // namespace tc::device::test::tensor
