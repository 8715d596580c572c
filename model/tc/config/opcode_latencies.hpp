// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

#include <tc/config/sub_core_parameters.hpp>
#include <tc/isa/instruction.hpp>

namespace tc::config {

/// Forms of an opcode that may have a latency of their own: IMAD.WIDE, CS2R.32, HFMA2.MMA.
enum class opcode_form : std::uint8_t { plain, wide, clock_32, matrix_pipe };

/// An opcode in one of its forms, as it is named in pipe_parameters::opcode_latency_cycles: "IMAD", "IMAD.WIDE".
struct opcode_with_form {
  isa::opcode op{};
  opcode_form form = opcode_form::plain;

  /// Nothing if there is no such opcode or form.
  static std::optional<opcode_with_form> find(std::string_view name);
};

/// Cycles from the operands to the result of the instructions that a pipe takes: what is said of the instruction's form, or else of its
/// opcode, or else of the pipe.
class opcode_latencies {
 public:
  explicit opcode_latencies(const pipe_parameters& parameters);

  unsigned cycles(const isa::instruction& code) const;

 private:
  const unsigned other_;
  std::map<std::pair<isa::opcode, opcode_form>, unsigned> own_;
};

}  // namespace tc::config
