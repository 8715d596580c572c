// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <tc/isa/architecture.hpp>

namespace tc::execution {

/// Whether instructions of a base mnemonic are executed on an architecture, at least in the forms that are usual.
bool executes(std::string_view mnemonic, isa::architecture arch);

}  // namespace tc::execution
