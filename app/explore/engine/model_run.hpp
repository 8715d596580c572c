// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "result_store.hpp"

namespace tcsim {

/// Does a run in this process, in which SystemC has elaborated nothing yet. Whatever goes wrong is in the result.
finished_run run_on_model(const planned_run& run) noexcept;

}  // namespace tcsim
