// SPDX-License-Identifier: Apache-2.0
#include "barrier_text.hpp"

#include <string_view>

#include <fmt/format.h>

#include <tc/isa/barrier_arrival.hpp>

namespace tc::importers {

std::string line_with_numbers(const program_instruction& bar, std::uint32_t number, std::uint32_t threads) {
  using kind = isa::operand::kind;
  const isa::barrier_operands operands = isa::barrier_operands_of(bar.code);
  const bool is_packed = operands.threads != nullptr && operands.number->what == kind::reg && operands.threads->what == kind::reg;
  const std::string_view text = bar.code.text, line = bar.line;
  const std::size_t begin = line.rfind(text), first = line.find_first_of(" \t", begin);
  std::size_t behind = line.find(',', first);
  std::string numbers = fmt::format(" {:#x}", is_packed ? number & 0xfU : number);
  if (operands.threads != nullptr) {
    numbers += fmt::format(", {:#x}", is_packed ? threads >> 16U : threads);
    behind = line.find(',', behind + 1);
  }
  return fmt::format("{}{}{}", line.substr(0, first), numbers, behind == std::string_view::npos ? "" : line.substr(behind));
}

}  // namespace tc::importers
