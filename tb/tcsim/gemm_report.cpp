#include "gemm_report.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <tc/kernels/gemm_matrix_step.hpp>

#include "text_table.hpp"

namespace tcsim {

namespace {

std::string percent(double share) { return fmt::format("{:.2f} %", 100 * share); }

std::string verdict_of(const gemm_figures& row) {
  if (!row.is_checked) return "not compared";
  return row.mismatches == 0 ? "exact" : fmt::format("WRONG: {} bytes differ", row.mismatches);
}

}  // namespace

gemm_figures figures_of(const gemm_kernel& kernel, const tc::device::kernel_result& result, const tc::config::machine& machine) {
  gemm_figures row;
  row.problem = kernel.problem();
  row.instruction = kernel.instruction();
  row.ctas = result.ctas;
  row.cycles = result.cycles();
  const double all = double{1} * row.problem.m * row.problem.n * row.problem.k;
  row.multiply_accumulates_per_cycle = all / static_cast<double>(row.cycles);
  const double peak_of_sm =
      machine.sm.sub_cores * tc::kernels::multiply_accumulates_per_cycle(row.problem.precision, machine.sm.sub_core.tensor_core);
  const auto sms_used = static_cast<double>(std::min<std::uint64_t>(row.ctas, machine.sms));
  row.share_of_machine = row.multiply_accumulates_per_cycle / (peak_of_sm * machine.sms);
  row.share_of_sms_used = row.multiply_accumulates_per_cycle / (peak_of_sm * sms_used);
  row.is_checked = !result.expectations.empty();
  for (const auto& expectation : result.expectations) row.mismatches += expectation.mismatches;
  return row;
}

std::string table_of(const std::vector<gemm_figures>& figures) {
  using align = text_table::align;
  text_table table({align::right, align::right, align::right, align::left, align::left, align::right, align::right, align::right,
                    align::right, align::right, align::left});
  table.add({"M", "N", "K", "PRECISION", "INSTRUCTION", "CTAS", "CYCLES", "MAC/CYCLE", "OF MACHINE", "OF SMS USED", "RESULT"});
  for (const gemm_figures& row : figures)
    table.add({fmt::format("{}", row.problem.m), fmt::format("{}", row.problem.n), fmt::format("{}", row.problem.k),
               std::string(row.problem.precision.name), row.instruction, fmt::format("{}", row.ctas), fmt::format("{}", row.cycles),
               fmt::format("{:.1f}", row.multiply_accumulates_per_cycle), percent(row.share_of_machine), percent(row.share_of_sms_used),
               verdict_of(row)});
  return table.text();
}

std::string csv_of(const std::vector<gemm_figures>& figures) {
  std::string text = "m,n,k,precision,instruction,ctas,cycles,mac_per_cycle,share_of_machine,share_of_sms_used,mismatches\n";
  for (const gemm_figures& row : figures)
    text += fmt::format("{},{},{},{},{},{},{},{:.3f},{:.6f},{:.6f},{}\n", row.problem.m, row.problem.n, row.problem.k,
                        row.problem.precision.name, row.instruction, row.ctas, row.cycles, row.multiply_accumulates_per_cycle,
                        row.share_of_machine, row.share_of_sms_used, row.is_checked ? fmt::format("{}", row.mismatches) : "");
  return text;
}

}  // namespace tcsim
