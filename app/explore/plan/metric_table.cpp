// SPDX-License-Identifier: Apache-2.0
#include "metric_table.hpp"

#include <algorithm>
#include <utility>

#include <tc/links/stall_cause.hpp>

namespace tcsim {

namespace {

using names = std::vector<std::string>;

const names simulations = {"trace", "gemm", "conv"};
const names products = {"gemm", "conv"};
const names convolutions = {"conv"};
const names studies = {"replay", "error"};

/// Collects rows of the table.
class table_writer {
 public:
  void count(const char* name, const char* path, const char* unit, const char* description, const names& kinds = simulations) {
    add({name, metric::origin::statistic, path, unit, description, metric_preference::less}, kinds);
  }
  /// A deviation to either side.
  void deviation(const char* name, const char* path, const char* unit, const char* description, const names& kinds) {
    add({name, metric::origin::statistic, path, unit, description, metric_preference::nearest_zero}, kinds);
  }
  /// A count of which more is better.
  void gain(const char* name, const char* path, const char* unit, const char* description, const names& kinds = simulations) {
    add({name, metric::origin::statistic, path, unit, description, metric_preference::more}, kinds);
  }
  /// A ratio of other metrics, of which more is better.
  void ratio(const char* name, const char* expression, const char* unit, const char* description, const names& kinds = simulations) {
    add({name, metric::origin::expression, expression, unit, description, metric_preference::more}, kinds);
  }
  void add(metric what, const names& kinds) { table_.push_back({std::move(what), kinds}); }

  std::vector<known_metric> table() && { return std::move(table_); }

 private:
  std::vector<known_metric> table_;
};

void add_totals(table_writer& table) {
  table.count("cycles", "cycles", "cycles", "from the start of the first kernel to the end of the last");
  table.count("time_us", "time_us", "us", "the same at the clock of the machine");
  table.count("instructions", "instructions", "instructions", "of all warps");
  table.ratio("instructions_per_cycle", "instructions * 1.0 / cycles", "instructions per cycle", "of the whole machine");
  table.count("mismatches", "mismatches", "bytes", "of results that are not as expected", {"trace", "gemm", "conv"});
  table.count("wrong_addresses", "addresses.different", "addresses", "of the trace that are not what the registers make",
              {"trace", "gemm", "conv"});
  table.count("undefined_bytes", "undefined", "bytes", "of results that were compared and that the model did not compute",
              {"trace", "gemm", "conv"});
  table.count("energy_nj", "energy.total_nj", "nJ", "of all events to which the configuration gives an energy");
}

void add_products(table_writer& table) {
  table.gain("multiply_accumulates", "workload.multiply_accumulates", "multiply-accumulates", "of the product, without padding", products);
  table.ratio("macs_per_cycle", "multiply_accumulates * 1.0 / cycles", "multiply-accumulates per cycle", "of the product", products);
  table.gain("share_of_peak", "workload.share_of_machine", "", "of what all tensor cores of the machine could multiply", {"gemm"});
  table.gain("share_of_peak_of_sms_used", "workload.share_of_sms_used", "", "of what the tensor cores of SMs with a CTA could multiply",
             {"gemm"});
}

void add_code(table_writer& table) {
  table.count("code_instructions", "workload.code.instructions", "instructions", "in the code that was made for the machine", products);
  table.count("code_nops", "workload.code.nops", "instructions", "NOPs among them, where a stall count is not enough", products);
  table.count("nops_executed", "workload.code.nops_executed", "instructions", "NOPs that warps executed", products);
}

void add_convolutions(table_writer& table) {
  table.count("activation_bytes_global", "workload.global_activation_bytes", "bytes", "of activations copied from global to shared memory",
              convolutions);
  table.count("activation_bytes_shared", "workload.shared_activation_bytes", "bytes", "of activations copied from shared to tensor memory",
              convolutions);
  table.count("activation_bytes_tensor", "workload.tensor_activation_bytes", "bytes", "of activations that products read in tensor memory",
              convolutions);
  table.count("filter_bytes_shared", "workload.shared_filter_bytes", "bytes", "of filters that products read in shared memory",
              convolutions);
  table.count("tensor_shifts", "workload.shifts", "instructions", "tcgen05.shift", convolutions);
}

void add_errors(table_writer& table) {
  table.count("outputs", "workload.outputs", "outputs", "that were computed", studies);
  table.count("outputs_not_as_recorded", "workload.mismatches", "outputs", "that differ from the recorded ones", {"replay"});
  table.count("max_error_ulp", "workload.errors.ulp.max", "ulp", "largest distance from the exact value", studies);
  table.count("mean_error_ulp", "workload.errors.ulp.mean", "ulp", "mean distance from the exact value", studies);
  table.deviation("bias_ulp", "workload.errors.ulp.bias", "ulp", "mean signed error; negative where magnitudes come out too small",
                  studies);
  table.count("max_relative_error", "workload.errors.relative.max", "", "largest error / sum of |a b|", studies);
  table.count("mean_relative_error", "workload.errors.relative.mean", "", "mean error / sum of |a b|", studies);
  table.count("outputs_with_exact_value", "workload.errors.results", "outputs", "whose error was measured", studies);
  table.gain("outputs_nearest", "workload.errors.correctly_rounded", "outputs", "that are the exact value rounded to nearest even",
             studies);
  table.ratio("share_nearest", "outputs_nearest * 1.0 / outputs_with_exact_value", "",
              "outputs that are the exact value rounded to nearest even, of all", studies);
}

void add_tensor_cores(table_writer& table) {
  table.count("tensor_instructions", "units.sub_core.tensor.instructions", "instructions", "matrix instructions of warps");
  table.gain("tensor_multiply_accumulates", "units.sub_core.tensor.multiply_accumulates", "multiply-accumulates", "of these");
  table.count("tensor_busy_cycles", "utilisation.sub_core.tensor.busy_cycles", "cycles", "with a matrix instruction, of all sub-cores");
  table.count("tensor_idle_cycles", "utilisation.sub_core.tensor.idle_cycles", "cycles", "without one, of all sub-cores");
  table.ratio("tensor_utilisation", "tensor_busy_cycles * 1.0 / (tensor_busy_cycles + tensor_idle_cycles)", "",
              "cycles with a matrix instruction, of all");
  table.count("b_buffer_fills", "units.sub_core.tensor.b_buffer.fills", "fills", "of the buffers of B");
  table.count("operand_bits_carried", "units.sub_core.tensor.operand_bits_carried", "bits", "on the operand buses of the tensor cores");
  table.count("warpgroup_instructions", "units.sub_core.warpgroup.instructions", "instructions", "warpgroup matrix instructions");
  table.gain("warpgroup_multiply_accumulates", "units.sub_core.warpgroup.multiply_accumulates", "multiply-accumulates", "of these");
}

void add_registers(table_writer& table) {
  table.count("registers_read", "units.sub_core.operand_fetch.registers_read", "registers", "operands of warps read from a bank");
  table.gain("reuse_hits", "units.sub_core.operand_fetch.reuse_hits", "registers", "operands of warps found in a reuse cache");
  table.count("bank_transactions", "units.sub_core.operand_fetch.bank_transactions", "transactions",
              "of operands with register banks; those of an instruction in one bank travel together");
  table.count("bank_wait_cycles", "units.sub_core.register_file.bank.read_wait_cycles", "cycles",
              "that reads waited for a register bank: its conflicts, with operand collectors");
}

void add_memories(table_writer& table) {
  table.count("shared_memory_wavefronts", "units.shared_memory.wavefronts", "wavefronts", "of accesses to shared memory");
  table.count("shared_memory_conflicts", "units.shared_memory.bank_conflicts", "wavefronts", "more, for words in one bank");
  table.count("shared_memory_bytes_read", "units.shared_memory.bytes_read", "bytes", "read from shared memory");
  table.count("shared_memory_bytes_written", "units.shared_memory.bytes_written", "bytes", "written to shared memory");
  table.count("global_memory_bytes_read", "units.global_memory.bytes_read", "bytes", "read from global memory");
  table.count("global_memory_bytes_written", "units.global_memory.bytes_written", "bytes", "written to global memory");
  table.gain("l1_hits", "units.global_memory.l1_hits", "sectors", "that the L1 caches had");
  table.count("l1_misses", "units.global_memory.l1_misses", "sectors", "that the L1 caches had to ask for");
  table.gain("l2_hits", "units.global_memory.l2_hits", "sectors", "that the L2 cache had");
  table.count("l2_misses", "units.global_memory.l2_misses", "sectors", "that came from DRAM");
}

void add_stalls(table_writer& table) {
  for (const auto& row : tc::links::stall_cause_table) {
    if (row.cause == tc::links::stall_cause::none) continue;
    const std::string key(row.key);
    table.add({"stall_" + key, metric::origin::statistic, "stalls." + key, "cycles", "of all warps: " + std::string(row.text),
               metric_preference::less},
              simulations);
  }
}

}  // namespace

const std::vector<known_metric>& metric_table() {
  static const std::vector<known_metric> all = [] {
    table_writer table;
    add_totals(table);
    add_products(table);
    add_code(table);
    add_convolutions(table);
    add_errors(table);
    add_tensor_cores(table);
    add_registers(table);
    add_memories(table);
    add_stalls(table);
    return std::move(table).table();
  }();
  return all;
}

const known_metric* find_known_metric(const std::string& name) {
  const auto& table = metric_table();
  const auto found = std::find_if(table.begin(), table.end(), [&](const known_metric& known) { return known.what.name == name; });
  return found == table.end() ? nullptr : &*found;
}

std::vector<std::string> default_metrics(const std::vector<std::string>& kinds) {
  std::vector<std::string> chosen;
  for (const char* const name : {"cycles", "instructions_per_cycle", "macs_per_cycle", "share_of_peak", "tensor_utilisation", "mismatches",
                                 "outputs_not_as_recorded", "max_error_ulp", "mean_error_ulp", "bias_ulp", "share_nearest"}) {
    const names& having = find_known_metric(name)->kinds;
    const auto is_asked_for = [&](const std::string& kind) { return std::find(kinds.begin(), kinds.end(), kind) != kinds.end(); };
    if (std::any_of(having.begin(), having.end(), is_asked_for)) chosen.emplace_back(name);
  }
  return chosen;
}

}  // namespace tcsim
