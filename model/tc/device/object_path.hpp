#pragma once

#include <string_view>

namespace tc::device {

/// A name in a path without the number behind it: "bank_0" is "bank".
std::string_view without_number(std::string_view name);

/// Whether the path of an object ends in these names: "gpu.sm_0.sub_core_1.tensor" in "tensor", in "sub_core_1.tensor", and, as a name
/// without a number stands for all numbers, in "sub_core.tensor".
bool ends_in(std::string_view path, std::string_view names);

}  // namespace tc::device
