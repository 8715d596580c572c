// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tc/config/machine.hpp>
#include <tc/isa/architecture.hpp>

namespace tc::config {

/// Whether a machine runs code of an architecture. "sm_90a" among its architectures is sm_90.
bool runs_code_of(const machine& machine, isa::architecture arch);

}  // namespace tc::config
