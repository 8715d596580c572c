// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include <tc/importers/accelsim_instruction.hpp>
#include <tc/importers/instruction_builder.hpp>
#include <tc/isa/architecture.hpp>
#include <tc/trace/memory_access.hpp>

namespace tc::importers {

/// An instruction as a trace has it.
struct imported_code {
  std::string text;             ///< opcode and operands; "NOP" if it cannot be imported
  std::string gap;              ///< why not; empty if it can
  trace::memory_access access;  ///< of `text`
  std::string on_shared;        ///< the access to shared memory of a generic load or store; empty for others
  bool is_barrier = false;      ///< BAR: its number is known from the line alone
};

/// The different instructions of a kernel, each made once from what the tracer recorded of it.
class accelsim_code {
 public:
  accelsim_code(isa::architecture arch, unsigned registers) : arch_(arch), registers_(registers) {}

  /// `immediate` is what the line tells about one: whether it is there if its value is not zero, and nothing in old traces.
  const imported_code& find(const accelsim_instruction& line, bool has_immediate);

 private:
  /// More different instructions than any kernel has: what is kept is forgotten when there are as many.
  static constexpr std::size_t most_kept = std::size_t{1} << 16;

  imported_code import(const accelsim_instruction& line, bool has_immediate) const;
  /// Makes the text of an instruction, and decodes it. An odd register cannot be an operand of two: then the absent operand is the last.
  isa::instruction decode(const recorded_operands& recorded, std::string& text) const;
  /// Checks that the text is legal and stays inside the kernel's registers. Throws isa::syntax_error.
  isa::instruction checked(const std::string& text) const;

  isa::architecture arch_;
  unsigned registers_;
  std::unordered_map<std::string, imported_code> kept_;
  std::string key_;
};

}  // namespace tc::importers
