// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <tc/trace/trace.hpp>

namespace tcsim {

/// Opens a trace that the user named, as find_trace() finds it; `-` is stdin, whose image files are in the current folder. Throws
/// trace_error, for a name that leads nowhere with the nearest one.
tc::trace::trace open_named_trace(const std::string& name);

}  // namespace tcsim
