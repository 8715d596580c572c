// SPDX-License-Identifier: Apache-2.0
#include "model_run.hpp"

#include <memory>

#include <boost/json.hpp>

#include <tc/config/json_document.hpp>
#include <tc/config/json_text.hpp>
#include <tc/config/machine_loader.hpp>

#include "failure.hpp"
#include "statistics_summary.hpp"
#include "workload.hpp"

namespace tcsim {

namespace {

finished_run run_workload(const planned_run& run) {
  using tc::config::compact_text;
  using tc::config::json_document;
  const auto machine = tc::config::make_machine({json_document::parse(run.configuration, "configuration")});
  const auto work = make_workload(run.kind, json_document::parse(run.parameters, run.workload), "/");  // its files have absolute names
  if (!run.code_configuration.empty())
    work->make_code_for(std::make_shared<const tc::config::machine>(
        tc::config::make_machine({json_document::parse(run.code_configuration, "configuration of the code")})));
  const workload_outcome outcome = work->run(machine);
  finished_run finished{static_cast<int>(outcome.status), outcome.message, "", "", {}};
  if (outcome.statistics.empty()) return finished;
  finished.statistics = compact_text(statistics_summary(outcome.statistics));
  if (run.statistics == statistics_detail::full) finished.all_statistics = compact_text(outcome.statistics);
  return finished;
}

}  // namespace

finished_run run_on_model(const planned_run& run) noexcept {
  try {
    return run_workload(run);
  } catch (...) {
    const failure why = current_failure();
    return {static_cast<int>(why.status), why.message, "", "", {}};
  }
}

}  // namespace tcsim
