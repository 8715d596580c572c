// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace tc::config {

/// The name that a number format has here, for one that it has elsewhere, in upper or lower case: "f16" for "fp16", "half" and "F16", "s8"
/// for "int8", "e4m3" for "fp8". Of names with points between them each part is one: "e4m3.f16" for "fp8.fp16". Others stay as they are.
std::string number_format_name(std::string_view name);

}  // namespace tc::config
