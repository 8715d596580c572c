// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <tc/isa/architecture.hpp>

namespace tc::study {

/// The architecture that vectors come from: `origin` is a generation as dot files name it ("ampere", "ada_lovelace"), or the name of a
/// device as fragment files have it ("NVIDIA_H200", "Tesla_V100-SXM2-16GB"), or contains "sm_90" and the like. Nothing if it is not known.
std::optional<isa::architecture> architecture_of_origin(std::string_view origin);

/// The generations, for messages: "volta, turing, ...".
std::string generation_names();

}  // namespace tc::study
