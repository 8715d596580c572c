// SPDX-License-Identifier: Apache-2.0
#include "law.hpp"

#include <algorithm>

#include <tc/isa/matrix_shapes.hpp>
#include <tc/isa/warp_lanes.hpp>

namespace tc::accounting {

namespace {

using config::machine;
using relation = law::relation;

const config::register_file_parameters& registers(const machine& m) { return m.sm.sub_core.register_file; }

constexpr double register_bytes = 128, core_matrix_bytes = 128;

// Rates, in a cycle.
double read_ports(const machine& m) { return double{1} * registers(m).banks * registers(m).read_ports; }
double write_ports(const machine& m) { return double{1} * registers(m).banks * registers(m).write_ports; }
double shared_row(const machine& m) { return m.sm.shared_memory.row_bytes(); }
double tensor_memory_path(const machine& m) { return m.sm.tensor_memory.bytes_per_cycle; }
double sub_cores(const machine& m) { return m.sm.sub_cores; }
double one(const machine&) { return 1; }
double of_register(const machine&) { return register_bytes; }
double of_core_matrix(const machine&) { return core_matrix_bytes; }
double of_two_registers(const machine&) { return 2 * register_bytes; }

// Sectors.
double l1_sector(const machine& m) { return static_cast<double>(m.global_memory.hierarchy.l1.sector_bytes); }

std::vector<law> make_laws() {  // NOLINT(readability-function-size): a table
  return {
      // No unit is over its rate.
      {"a scheduler issues at most one instruction in a cycle, and each cycle has one issue slot",
       law_scope::object,
       {{"scheduler", "issued"}, {"scheduler", "empty"}},
       relation::at_most,
       {{"", ""}},
       true,
       one},  // of the cycle in which a run was cut off
      {"the tensor cores of a sub-core multiply one instruction at a time",
       law_scope::sub_core,
       {{"sub_core.tensor", "busy_cycles"}, {"sub_core.warpgroup", "busy_cycles"}},
       relation::at_most,
       {{"", ""}},
       false,
       longest_occupation},
      {"the tensor cores of an SM multiply one instruction at a time",
       law_scope::sm,
       {{"sub_core.tensor", "busy_cycles"}, {"sub_core.warpgroup", "busy_cycles"}, {"tensor_engine.matrices", "busy_cycles", sub_cores}},
       relation::at_most,
       {{"", "", sub_cores}},
       false,
       [](const machine& m) { return sub_cores(m) * longest_occupation(m); }},
      {"operand buses bring one instruction's operands at a time",
       law_scope::object,
       {{"sub_core.tensor", "bus_cycles"}},
       relation::at_most,
       {{"", ""}},
       false,
       longest_occupation},
      {"banks read no more registers than they have ports",
       law_scope::object,
       {{"operand_fetch", "registers_read"}},
       relation::at_most,
       {{"", "", read_ports}},
       false,
       [](const machine& m) { return 64 * read_ports(m); }},
      {"banks write no more registers than they have ports",
       law_scope::object,
       {{"write_back", "registers_written"}},
       relation::at_most,
       {{"", "", write_ports}},
       false,
       [](const machine& m) { return 64 * write_ports(m); }},
      {"wavefronts carry no more than the banks of shared memory are wide",
       law_scope::object,
       {{"shared_memory", "bytes_read"}, {"shared_memory", "bytes_written"}},
       relation::at_most,
       {{"shared_memory", "wavefronts", shared_row}},
       true},
      {"loads and stores of tensor memory move no more than their path is wide",
       law_scope::object,
       {{"tensor_memory.chunk", "bytes_read"}, {"tensor_memory.chunk", "bytes_written"}},
       relation::at_most,
       {{"tensor_memory.chunk", "busy_cycles", tensor_memory_path}},
       true},
      {"operand buses carry what is used of them",
       law_scope::object,
       {{"sub_core.tensor", "operand_bits_used"}},
       relation::at_most,
       {{"sub_core.tensor", "operand_bits_carried"}},
       true},
      {"the operand feed reads one core matrix in a cycle",
       law_scope::object,
       {{"warpgroup_feed", "core_matrices"}},
       relation::at_most,
       {{"", ""}},
       false},

      // What leaves one level comes to the next.
      {"shared memory is read by the units of its SM alone",
       law_scope::sm,
       {{"shared_memory", "bytes_read"}},
       relation::equals,
       {{"load_store", "shared_bytes_read"},
        {"warpgroup_feed", "core_matrices", of_core_matrix},
        {"tensor_engine.matrices", "core_matrices", of_core_matrix},
        {"tensor_engine.copies", "bytes_read"},
        {"bulk_copy", "bytes_to_global"},
        {"barrier_unit", "bytes_read"}}},
      {"shared memory is written by the units of its SM alone",
       law_scope::sm,
       {{"shared_memory", "bytes_written"}},
       relation::equals,
       {{"load_store", "shared_bytes_written"},
        {"bulk_copy", "bytes_to_shared"},
        {"bulk_copy", "bytes_filled"},
        {"barrier_unit", "bytes_written"},
        {"tensor_allocation", "bytes_written"}}},
      {"global memory is read by loads and bulk copies",
       law_scope::gpu,
       {{"global_memory", "bytes_read"}},
       relation::equals,
       {{"load_store", "global_bytes_read"}, {"bulk_copy", "bytes_to_shared"}}},
      {"global memory is written by stores and bulk copies",
       law_scope::gpu,
       {{"global_memory", "bytes_written"}},
       relation::equals,
       {{"load_store", "global_bytes_written"}, {"bulk_copy", "bytes_to_global"}}},
      {"an L1 cache has the bytes of the sectors that hit",
       law_scope::gpu,
       {{"global_memory", "l1_bytes"}},
       relation::equals,
       {{"global_memory", "l1_hits", l1_sector}},
       true},
      {"what L1 caches miss or are not asked for comes from L2",
       law_scope::gpu,
       {{"global_memory", "l2_bytes_read"}},
       relation::equals,
       {{"global_memory", "l1_misses", l1_sector}, {"global_memory", "l1_bypassed", l1_sector}},
       true},
      {"reads are covered by the sectors of L1 and L2",
       law_scope::gpu,
       {{"global_memory", "bytes_read"}},
       relation::at_most,
       {{"global_memory", "l1_bytes"}, {"global_memory", "l2_bytes_read"}},
       true},
      {"what is written to global memory is written to L2",
       law_scope::gpu,
       {{"global_memory", "l2_bytes_written"}},
       relation::equals,
       {{"global_memory", "bytes_written"}},
       true},
      {"L2 hands on what it has and what comes from DRAM",
       law_scope::gpu,
       {{"global_memory", "l2_bytes_read"}, {"global_memory", "l2_bytes_written"}},
       relation::at_most,
       {{"global_memory", "l2_bytes"}, {"global_memory", "dram_bytes"}},
       true},
      {"tensor memory is read by the tensor engine's links as it asks",
       law_scope::sm,
       {{"tensor_memory.chunk", "engine_bytes_read"}},
       relation::equals,
       {{"tensor_engine.matrices", "cell_bytes_read"}}},
      {"tensor memory is written by the tensor engine's links as it asks",
       law_scope::sm,
       {{"tensor_memory.chunk", "engine_bytes_written"}},
       relation::equals,
       {{"tensor_engine.matrices", "cell_bytes_written"}, {"tensor_engine.copies", "cell_bytes_written"}}},
      {"registers that a warp loads from tensor memory were read there",
       law_scope::sm,
       {{"sub_core.tensor_memory", "registers_written", of_register}},
       relation::at_most,
       {{"tensor_memory.chunk", "bytes_read"}},
       true},
      {"a register that a warp loads from tensor memory has two halves at most",
       law_scope::sm,
       {{"tensor_memory.chunk", "bytes_read"}},
       relation::at_most,
       {{"sub_core.tensor_memory", "registers_written", of_two_registers}}},

      // What began has ended.
      {"what a scheduler issues retires", law_scope::object, {{"scheduler", "issued"}}, relation::equals, {{"scheduler", "retired"}}},
  };
}

}  // namespace

double longest_occupation(const machine& m) {
  constexpr double lanes = isa::lanes_per_warp, largest_k = 16, largest_rows = 16;
  // Single bits that fill the registers of B.
  constexpr double largest_products = lanes * isa::register_bits * isa::max_b_registers * isa::max_matrix_rows;
  const config::tensor_core_parameters& core = m.sm.sub_core.tensor_core;
  const config::pipes_parameters& pipes = m.sm.sub_core.pipes;
  double longest = 2 * lanes + m.sm.barrier_unit.interval_cycles;
  for (const config::pipe_parameters* const pipe :
       {&pipes.fp32, &pipes.integer, &pipes.half, &pipes.fp64, &pipes.special_function, &pipes.uniform, &pipes.constant, &pipes.system})
    longest = std::max(longest, lanes / pipe->lanes);
  const double stages = double{1} * core.multiply_stages + core.adder_stages;
  const double chains = largest_k * std::max(largest_rows / std::max(1U, core.f64_units), stages);
  const double products = largest_products / (8.0 * core.dot_product_units) + largest_k * stages + core.result_stages;
  return std::max({longest, chains, products});
}

const std::vector<law>& laws() {
  static const std::vector<law> all = make_laws();
  return all;
}

}  // namespace tc::accounting
