// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include <tc/isa/architecture.hpp>
#include <tc/isa/opcode.hpp>
#include <tc/isa/qualifier_list.hpp>
#include <tc/isa/source_text.hpp>

namespace tc::isa {

/// An instruction of PTX taken apart: what its parser still has to read.
struct ptx_statement {
  opcode op = opcode::nop;
  architecture arch = architecture::sm_90;
  qualifier_list qualifiers;  ///< behind the mnemonic
  std::string_view operands;
  const source_text& source;  ///< that all of it is part of
};

}  // namespace tc::isa
