// SPDX-License-Identifier: Apache-2.0
#include "gemm_report.hpp"

#include <fmt/format.h>

#include "text_table.hpp"

namespace tcsim {

namespace {

std::string peak_percent(double share) { return fmt::format("{:.2f} %", 100 * share); }

std::string verdict_of(const gemm_figures& row) {
  if (!row.is_checked) return "not compared";
  const std::string verdict = row.mismatches == 0 ? "exact" : fmt::format("WRONG: {} bytes differ", row.mismatches);
  return row.compared == row.elements() ? verdict : fmt::format("{}, {} of {} outputs checked", verdict, row.compared, row.elements());
}

}  // namespace

std::string table_of(const std::vector<gemm_figures>& figures) {
  using align = text_table::align;
  text_table table({align::right, align::right, align::right, align::left, align::left, align::right, align::right, align::right,
                    align::right, align::right, align::left});
  table.add({"M", "N", "K", "PRECISION", "INSTRUCTION", "CTAS", "CYCLES", "MAC/CYCLE", "OF MACHINE", "OF SMS USED", "RESULT"});
  for (const gemm_figures& row : figures)
    table.add({fmt::format("{}", row.problem.m), fmt::format("{}", row.problem.n), fmt::format("{}", row.problem.k),
               std::string(row.problem.precision.name), row.instruction, fmt::format("{}", row.ctas), fmt::format("{}", row.cycles),
               fmt::format("{:.1f}", row.multiply_accumulates_per_cycle), peak_percent(row.share_of_machine),
               peak_percent(row.share_of_sms_used), verdict_of(row)});
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
