// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <tc/machine_code/cubin.hpp>

namespace tc::test {

/// The targets for which data/kernels.cu is compiled.
const std::vector<std::string>& kernel_targets();

/// The bytes of the cubin of bounds.cu.
std::string bounds_bytes();
/// The bytes of the cubin for a target.
std::string cubin_bytes(const std::string& target);

/// The bytes of the cubin of data/relocatable.cu for sm_75, which is not linked.
std::string relocatable_bytes();

/// What nvdisasm says of it: the texts of the functions' words, with addresses instead of labels.
std::map<std::string, std::vector<std::string>> disassembled(const std::string& target);

}  // namespace tc::test
