// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace tc::accounting {

/// A name in a path without the number behind it: "bank_0" is "bank".
std::string_view without_number(std::string_view name);

/// Whether the path of an object ends in these names: "gpu.sm_0.sub_core_1.tensor" in "tensor", in "sub_core_1.tensor", and, as a name
/// without a number stands for all numbers, in "sub_core.tensor".
bool ends_in(std::string_view path, std::string_view names);

/// The kind of a unit: its path without the GPU, SMs, sub-cores and numbers, e.g. "register_file.bank" of
/// "gpu.sm_0.sub_core_1.register_file.bank_0"; empty for those themselves.
std::string unit_kind(std::string_view path);

}  // namespace tc::accounting
