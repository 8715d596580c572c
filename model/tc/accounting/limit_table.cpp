// SPDX-License-Identifier: Apache-2.0
#include "limit_table.hpp"

#include <initializer_list>

namespace tc::accounting {

namespace {

using links::result_source;
using links::stall_cause;
using relaxations = std::vector<relaxation>;

relaxations together(std::initializer_list<relaxations> parts) {
  relaxations all;
  for (const relaxations& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

const relaxations products{
    {"sm.sub_core.tensor_core.dot_product_units", "x16"},           {"sm.sub_core.tensor_core.octets_per_cycle", "4"},
    {"sm.sub_core.tensor_core.f32_accumulate_divider", "1"},        {"sm.sub_core.tensor_core.f64_units", "x16"},
    {"sm.sub_core.tensor_core.unit.sub_byte_recovery_cycles", "0"}, {"sm.tensor_engine.outputs_per_cycle", "x16"}};

const relaxations operand_buses{{"sm.sub_core.tensor_core.operand_bus.a_registers_per_cycle", "x16"},
                                {"sm.sub_core.tensor_core.operand_bus.b_registers_per_cycle", "x16"},
                                {"sm.sub_core.tensor_core.operand_bus.c_registers_per_cycle", "x16"},
                                {"sm.sub_core.tensor_core.operand_bus.a_and_b_share", "false"}};

const relaxations operand_buffers{{"sm.sub_core.tensor_core.a_buffer.depth_tiles", "x4"},
                                  {"sm.sub_core.tensor_core.b_buffer.depth_tiles", "x4"},
                                  {"sm.sub_core.tensor_core.accumulator_buffer.depth_tiles", "x4"}};

const relaxations product_stages{{"sm.sub_core.tensor_core.multiply_stages", "1"},
                                 {"sm.sub_core.tensor_core.adder_stages", "1"},
                                 {"sm.sub_core.tensor_core.result_stages", "1"},
                                 {"sm.sub_core.tensor_core.f16_result_stages", "0"},
                                 {"sm.sub_core.tensor_core.f64_result_stages", "1"}};

const relaxations warpgroups{
    {"sm.warpgroup.operand_tiles", "x8"},       {"sm.warpgroup.queue_entries", "x4"},           {"sm.warpgroup.start_cycles", "1"},
    {"sm.warpgroup.register_fill_cycles", "1"}, {"sm.warpgroup.register_interval_cycles", "1"}, {"sm.warpgroup.warp_turn_cycles", "0"}};

const relaxations register_ports{{"sm.sub_core.register_file.read_ports", "x4"}, {"sm.sub_core.register_file.write_ports", "x4"}};

const relaxations load_store{{"sm.sub_core.load_store.queue_entries", "x16"},
                             {"sm.sub_core.load_store.shared_access_cycles", "1"},
                             {"sm.sub_core.load_store.load_matrix_cycles", "1"},
                             {"sm.sub_core.load_store.global_access_cycles", "1"}};

const relaxations shared_memory{{"sm.shared_memory.wavefront_cycles", "1"},
                                {"sm.shared_memory.warp_wavefront_cycles", "1"},
                                {"sm.shared_memory.banks", "x4"},
                                {"sm.shared_memory.bank_width_bytes", "x4"}};

const relaxations shared_latency{{"sm.sub_core.load_store.operands_read_cycles", "1"},
                                 {"sm.sub_core.load_store.shared_pipeline_cycles", "1"},
                                 {"sm.sub_core.load_store.shared_register_cycles", "0"}};

const relaxations global_latency{
    {"global_memory.latency_cycles", "1"},
    {"global_memory.hierarchy.enabled", "false"},
    {"sm.sub_core.load_store.operands_read_cycles", "1"},
    {"sm.sub_core.load_store.global_pipeline_cycles", "1"},
    {"sm.sub_core.load_store.global_register_cycles", "0"},
    {"sm.sub_core.load_store.global_access_cycles", "1"},
};

const relaxations pipe_lanes{{"sm.sub_core.pipes.fp32.lanes", "32"},    {"sm.sub_core.pipes.integer.lanes", "32"},
                             {"sm.sub_core.pipes.half.lanes", "32"},    {"sm.sub_core.pipes.fp64.lanes", "32"},
                             {"sm.sub_core.pipes.uniform.lanes", "32"}, {"sm.sub_core.pipes.special_function.lanes", "32"},
                             {"sm.sub_core.pipes.system.lanes", "32"},  {"sm.sub_core.pipes.constant.lanes", "32"}};

const relaxations arithmetic_latency{{"sm.sub_core.operand_fetch.issue_to_dispatch_cycles", "1"},
                                     {"sm.sub_core.pipes.fp32.opcode_latency_cycles", "{}"},
                                     {"sm.sub_core.pipes.fp32.latency_cycles", "1"},
                                     {"sm.sub_core.pipes.integer.opcode_latency_cycles", "{}"},
                                     {"sm.sub_core.pipes.integer.latency_cycles", "1"},
                                     {"sm.sub_core.pipes.half.opcode_latency_cycles", "{}"},
                                     {"sm.sub_core.pipes.half.latency_cycles", "1"},
                                     {"sm.sub_core.pipes.uniform.opcode_latency_cycles", "{}"},
                                     {"sm.sub_core.pipes.uniform.latency_cycles", "1"},
                                     {"sm.sub_core.bypass.other_pipe_cycles", "0"},
                                     {"sm.sub_core.bypass.guard_lead_cycles", "0"},
                                     {"sm.sub_core.bypass.wide_lead_cycles", "0"}};

const relaxations special_latency{{"sm.sub_core.pipes.fp64.opcode_latency_cycles", "{}"},
                                  {"sm.sub_core.pipes.fp64.latency_cycles", "1"},
                                  {"sm.sub_core.pipes.special_function.opcode_latency_cycles", "{}"},
                                  {"sm.sub_core.pipes.special_function.latency_cycles", "1"},
                                  {"sm.sub_core.pipes.constant.opcode_latency_cycles", "{}"},
                                  {"sm.sub_core.pipes.constant.latency_cycles", "1"},
                                  {"sm.sub_core.constant_cache.ideal", "true"},
                                  {"sm.sub_core.pipes.system.opcode_latency_cycles", "{}"},
                                  {"sm.sub_core.pipes.system.latency_cycles", "1"}};

const relaxations bulk_copies{{"sm.bulk_copy.requests_in_flight", "x16"},  {"sm.bulk_copy.load.start_cycles", "1"},
                              {"sm.bulk_copy.load.interval_cycles", "1"},  {"sm.bulk_copy.load.bytes_per_cycle", "x16"},
                              {"sm.bulk_copy.load.complete_cycles", "1"},  {"sm.bulk_copy.store.start_cycles", "1"},
                              {"sm.bulk_copy.store.interval_cycles", "1"}, {"sm.bulk_copy.store.bytes_per_cycle", "x16"},
                              {"sm.bulk_copy.store.complete_cycles", "1"}, {"sm.barrier_unit.interval_cycles", "1"},
                              {"sm.barrier_unit.access_cycles", "1"},      {"sm.barrier_unit.wake_cycles", "1"}};

const relaxations tensor_engine{{"sm.tensor_engine.queue_entries", "x8"},
                                {"sm.tensor_engine.operand_tiles", "x4"},
                                {"sm.tensor_engine.start_cycles", "1"},
                                {"sm.tensor_engine.interval_cycles", "1"},
                                {"sm.tensor_engine.restart_cycles", "0"},
                                {"sm.tensor_engine.accumulator_read_stages", "1"},
                                {"sm.tensor_engine.accumulator_write_stages", "1"},
                                {"sm.tensor_engine.copy.bytes_per_cycle", "x8"},
                                {"sm.tensor_engine.copy.warp_bytes_per_cycle", "x8"},
                                {"sm.tensor_engine.copy.start_cycles", "1"},
                                {"sm.tensor_engine.pair.start_cycles", "1"},
                                {"sm.tensor_engine.pair.split_cycles", "0"},
                                {"sm.tensor_engine.pair.exchange_cycles", "0"},
                                {"sm.tensor_memory.bytes_per_cycle", "x4"},
                                {"sm.tensor_memory.engine_bytes_per_cycle", "x4"},
                                {"sm.tensor_memory.latency_cycles", "1"},
                                {"sm.tensor_memory.shift.interval_cycles", "1"},
                                {"sm.tensor_memory.shift.completion_cycles", "1"}};

const relaxations tensor_allocation{{"sm.tensor_memory.allocation.cycles", "1"}, {"sm.tensor_memory.allocation.contended_cycles", "1"}};

std::vector<limit_info> tensor_core_limits() {
  using is = limit_info::kind;
  return {{"tensor_cores",
           "dot-product units of the tensor cores",
           "more of them",
           is::rate,
           {stall_cause::tensor_busy},
           {},
           {"tensor_cores"},
           false,
           products},
          {"operand_buses",
           "operand buses of the tensor cores",
           "wider ones",
           is::rate,
           {stall_cause::operand_bus},
           {},
           {},
           false,
           operand_buses},
          {"operand_buffers",
           "operand buffers of the tensor cores",
           "deeper ones",
           is::rate,
           {stall_cause::buffer_full},
           {},
           {},
           false,
           operand_buffers},
          {"matrix_results",
           "results of matrix instructions",
           "shorter latencies",
           is::latency,
           {stall_cause::warpgroup_wait},
           {result_source::matrix},
           {},
           true,
           together({products, operand_buses, operand_buffers, product_stages, warpgroups})},
          {"tensor_engine",
           "tensor engine and tensor memory",
           "faster ones",
           is::rate,
           {stall_cause::tensor_queue, stall_cause::tensor_memory_wait},
           {},
           {"tensor_cores", "tensor_engine.copies", "tensor_memory.chunk"},
           false,
           together({tensor_engine, products, shared_memory})},
          {"tensor_allocation",
           "allocation of tensor memory",
           "a quicker one",
           is::latency,
           {stall_cause::tensor_allocation},
           {},
           {},
           false,
           tensor_allocation}};
}

std::vector<limit_info> memory_limits() {
  using is = limit_info::kind;
  return {{"load_store",
           "load-store units and shared memory",
           "faster ones",
           is::rate,
           {stall_cause::memory_queue},
           {result_source::shared_memory},
           {"load_store", "shared_memory"},
           false,
           together({load_store, shared_memory, shared_latency})},
          {"global_memory",
           "loads from global memory",
           "shorter latencies",
           is::latency,
           {},
           {result_source::global_memory},
           {},
           false,
           global_latency},
          {"asynchronous_units",
           "arrivals at mbarriers, as of bulk copies",
           "faster ones",
           is::latency,
           {stall_cause::mbarrier_wait, stall_cause::bulk_wait},
           {},
           {},
           false,
           together({bulk_copies, global_latency, shared_memory, tensor_engine})}};
}

std::vector<limit_info> issue_limits() {
  using is = limit_info::kind;
  return {{"issue",
           "issue slots of the warp schedulers",
           "more sub-cores",
           is::full_rate,
           {stall_cause::not_selected},
           {},
           {"issue"},
           false,
           {{"sm.sub_cores", "x2"}}}};
}

std::vector<limit_info> other_limits() {
  using is = limit_info::kind;
  return {{"register_ports",
           "ports of the register banks",
           "more of them",
           is::rate,
           {stall_cause::bank_conflict},
           {},
           {"register_ports"},
           false,
           register_ports},
          {"operand_collectors",
           "operand collectors",
           "more of them",
           is::rate,
           {stall_cause::collector_full},
           {},
           {"register_ports", "register_file.bank"},
           false,
           together({{{"sm.sub_core.operand_fetch.collector_units", "x8"}}, register_ports})},
          {"pipes",
           "lanes of the execution units",
           "more of them",
           is::rate,
           {stall_cause::pipe_busy},
           {},
           {"fp32", "integer", "half", "fp64", "special_function", "uniform", "constant", "system"},
           false,
           pipe_lanes},
          {"arithmetic_results",
           "results of arithmetic",
           "shorter latencies",
           is::latency,
           {},
           {result_source::arithmetic},
           {},
           true,
           arithmetic_latency},
          {"special_results",
           "special functions and registers, constants and f64",
           "shorter latencies",
           is::latency,
           {},
           {result_source::special},
           {},
           true,
           special_latency},
          {"instruction_fetch",
           "instruction fetch",
           "instructions that are always there",
           is::latency,
           {stall_cause::no_instruction},
           {},
           {},
           false,
           {{"sm.sub_core.fetch.ideal", "true"}}}};
}

}  // namespace

const std::vector<limit_info>& limit_table() {
  static const std::vector<limit_info> table = [] {
    std::vector<limit_info> rows = tensor_core_limits();
    for (const auto& more : {memory_limits(), issue_limits(), other_limits()}) rows.insert(rows.end(), more.begin(), more.end());
    return rows;
  }();
  return table;
}

}  // namespace tc::accounting
