// SPDX-License-Identifier: Apache-2.0
#pragma once

/// Message types of the reports of accounting.
namespace tc::accounting::report {

/// The statistics of a run break a law that every machine keeps: a unit was over its rate, or bytes were lost between two levels.
/// Cure: None: the model has a defect, and the numbers of this run cannot be relied on. Report it with the trace and the configuration. A
/// unit of your own that counts statistics under a name of the model's must count what the model's would.
inline constexpr const char* broken_law = "/tc/accounting/law";

}  // namespace tc::accounting::report
