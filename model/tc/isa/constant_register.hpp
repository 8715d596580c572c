// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tc/isa/instruction.hpp>

namespace tc::isa {

/// Whether a register always has the same value and keeps none that is written: RZ, URZ, PT, UPT.
inline bool is_constant_register(register_file file, unsigned index) {
  switch (file) {
    case register_file::vector:
      return index == zero_register;
    case register_file::uniform:
      return index == zero_uniform_register;
    default:
      return index == true_predicate;
  }
}

}  // namespace tc::isa
