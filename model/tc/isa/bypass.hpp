// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tc/isa/instruction.hpp>

namespace tc::isa {

/// The unit on whose bypass the results of an opcode travel: its own, but for VIADD, which has that of multiply-add and the rate of the
/// integer unit (compiled code of sm_90; recorded on an H200).
execution_unit bypass_of(opcode op);

/// Whether a result goes from one bypass to another, for a read of a consumer. The integer unit, FP32 with integer multiply-add, and FP64
/// have one each; to an address every result goes another way. The data of a store are read later anyhow, and packed 16-bit instructions
/// are of either kind (compiled code of sm_75 to sm_120; measured on an H100 with stall counts overwritten).
bool changes_bypass(execution_unit producer, const instruction& consumer, const register_use& read);

}  // namespace tc::isa
