// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <tc/launches/launch_code.hpp>
#include <tc/machine_code/cubin.hpp>

namespace tc::launches {

/// A kernel of a cubin as a listing of it would give it: the words as text, labels of what branches go to, functions that are called,
/// constants, variables, and what relocations put into all of these. Without a name there must be no other kernel. A word that is not known
/// stays a word, which is executed by nothing. Throws machine_code::code_error: there is no such kernel, or no decoder of its words.
launch_code kernel_of_cubin(const machine_code::cubin& cubin, const std::string& kernel);

}  // namespace tc::launches
