// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/json.hpp>

#include <tc/trace/trace.hpp>

namespace tcsim {

/// The code that the warps of a kernel's first CTA execute. `id`, a UUID of the instructions with their control codes, tells it from code
/// that was made for another machine; `instructions` and `nops` are those in the code, however often they are executed; `nops_executed`
/// are those of all warps of the trace.
boost::json::object code_json(const tc::trace::trace& trace);

}  // namespace tcsim
