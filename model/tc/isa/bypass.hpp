// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tc/isa/instruction.hpp>

namespace tc::isa {

/// Whether a result goes from the bypass of its unit to another one, for a read of a consumer. The integer unit, FP32 with integer
/// multiply-add, and FP64 have one each; to an address every result goes another way. The data of a store are read later anyhow, and packed
/// 16-bit instructions are of either kind (compiled code of sm_75 to sm_120; measured on an H100 with stall counts overwritten).
bool changes_bypass(execution_unit producer, const instruction& consumer, const register_use& read);

}  // namespace tc::isa
