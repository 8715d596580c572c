// SPDX-License-Identifier: Apache-2.0
#include "gemm_figures.hpp"

#include <algorithm>
#include <set>

#include <tc/accounting/excess_traffic.hpp>
#include <tc/kernels/gemm_matrix_step.hpp>

namespace tcsim {

gemm_figures figures_of(const gemm_kernel& kernel, const tc::accounting::kernel_result& result, const tc::config::machine& machine) {
  gemm_figures row;
  row.problem = kernel.problem();
  row.instruction = kernel.instruction();
  row.ctas = result.ctas;
  row.cycles = result.cycles();
  const auto all = static_cast<double>(row.multiply_accumulates());
  row.multiply_accumulates_per_cycle = all / static_cast<double>(row.cycles);
  const double peak_of_sm =
      machine.sm.sub_cores * tc::kernels::multiply_accumulates_per_cycle(row.problem.precision, machine.sm.sub_core.tensor_core);
  const auto sms_used = static_cast<double>(std::min<std::uint64_t>(row.ctas, machine.sms));
  row.share_of_machine = row.multiply_accumulates_per_cycle / (peak_of_sm * machine.sms);
  row.share_of_sms_used = row.multiply_accumulates_per_cycle / (peak_of_sm * sms_used);
  row.is_checked = !result.expectations.empty();
  row.wrong_addresses = result.addresses.different;
  for (const auto& expectation : result.expectations) {
    row.mismatches += expectation.mismatches;
    row.undefined += expectation.undefined;
    row.compared += expectation.compared / row.problem.result_bytes();
  }
  for (const auto& excess : tc::accounting::excess_traffic_of(result, machine))
    row.beyond_the_model = std::max(row.beyond_the_model, excess.factor());
  return row;
}

boost::json::object figures_json(const gemm_figures& figures) {
  boost::json::object json{{"kind", "gemm"},
                           {"instruction", figures.instruction},
                           {"ctas", figures.ctas},
                           {"cycles", figures.cycles},
                           {"multiply_accumulates", figures.multiply_accumulates()},
                           {"multiply_accumulates_per_cycle", figures.multiply_accumulates_per_cycle},
                           {"share_of_machine", figures.share_of_machine},
                           {"share_of_sms_used", figures.share_of_sms_used}};
  if (figures.is_checked) {
    json["mismatches"] = figures.mismatches;
    json["undefined"] = figures.undefined;
  }
  if (figures.is_checked && figures.compared < figures.elements()) json["outputs_compared"] = figures.compared;
  return json;
}

std::uint64_t matrix_instructions_of(const tc::trace::trace& trace) {
  std::set<std::string> opcodes;
  for (std::uint32_t i = 0; i < trace.code_size(); ++i) {
    const tc::isa::instruction& code = trace.code(i);
    if (code.mma || tc::isa::wgmma_of(code) != nullptr) opcodes.insert(code.text.substr(0, code.text.find(' ')));
  }
  std::uint64_t count = 0;
  for (const auto& [opcode, executions] : trace.summary().opcodes) count += opcodes.count(opcode) * executions;
  return count;
}

}  // namespace tcsim
