// SPDX-License-Identifier: Apache-2.0
#include "matrix_instructions.hpp"

#include <array>
#include <stdexcept>
#include <string_view>

#include <fmt/format.h>

#include <tc/isa/instruction_parser.hpp>
#include <tc/subcore/tensor/tensor_operation.hpp>

namespace tcsim::random_programs {

namespace isa = tc::isa;

namespace {

// clang-format off
constexpr std::array<std::string_view, 40> mnemonics{
    "HMMA.884.F32.F32.STEP0", "HMMA.884.F16.F16.STEP0", "HMMA.1688.F32", "HMMA.1688.F16", "HMMA.1688.F32.BF16", "HMMA.1688.F32.TF32",
    "HMMA.1684.F32.TF32", "HMMA.16816.F32", "HMMA.16816.F16", "HMMA.16816.F32.BF16", "IMMA.8816.S8.S8", "IMMA.8816.U8.S8.SAT",
    "IMMA.8816.U8.U8", "IMMA.16816.S8.S8", "IMMA.16816.S8.U8.SAT", "IMMA.16816.U8.U8", "IMMA.16832.S8.S8", "IMMA.16832.U8.U8.SAT",
    "IMMA.8832.S4.S4", "IMMA.8832.U4.U4.SAT", "IMMA.8832.S4.U4", "IMMA.16832.S4.S4", "IMMA.16832.U4.S4.SAT", "IMMA.16864.S4.S4",
    "IMMA.16864.U4.U4", "BMMA.88128.XOR.POPC", "BMMA.88128.AND.POPC", "BMMA.168128.XOR.POPC", "BMMA.168128.AND.POPC",
    "BMMA.168256.XOR.POPC", "BMMA.168256.AND.POPC", "DMMA.884", "DMMA.1684", "DMMA.1688", "DMMA.16816", "QMMA.16816.F32.E4M3.E4M3",
    "QMMA.16816.F16.E4M3.E5M2", "QMMA.16832.F32.E5M2.E4M3", "QMMA.16832.F16.E4M3.E4M3", "QMMA.16832.F32.E5M2.E5M2",
};
// clang-format on

bool has_layouts(std::string_view mnemonic) {
  return mnemonic.substr(0, 4) == "IMMA" || mnemonic.substr(0, 4) == "BMMA" || mnemonic.substr(0, 8) == "HMMA.884";
}

std::string instruction(std::string_view mnemonic, const std::string& d, const std::string& a, const std::string& b, const std::string& c) {
  return fmt::format("{} {}, {}, {}, {}", mnemonic, d, a, b, c);
}

std::string with_reuse(const std::string& name, random_numbers& random) { return random.chance(15) ? name + ".reuse" : name; }

/// All steps of a set, whose accumulators are pairs that meet neither A nor B.
std::vector<std::string> steps(const matrix_form& form, random_numbers& random) {
  constexpr unsigned a = 0, b = 2, first_pair = 4, pairs = (used_registers - first_pair) / 2;
  const std::string a_name = fmt::format("R{}.{}", a, random.chance(50) ? "ROW" : "COL");
  const std::string b_name = fmt::format("R{}.{}", b, random.chance(50) ? "ROW" : "COL");
  const unsigned first = random.below(pairs - form.mma.steps + 1);
  const std::string stem = form.mnemonic.substr(0, form.mnemonic.size() - 1);
  std::vector<std::string> result;
  for (unsigned step = 0; step < form.mma.steps; ++step) {
    const std::string d = fmt::format("R{}", first_pair + 2 * (first + step));
    result.push_back(instruction(stem + std::to_string(step), d, a_name, b_name, d));
  }
  return result;
}

}  // namespace

std::vector<matrix_form> matrix_forms(const tc::config::machine& machine, isa::architecture arch) {
  std::vector<matrix_form> forms;
  for (const std::string_view mnemonic : mnemonics) {
    const bool layouts = has_layouts(mnemonic);
    try {
      const isa::instruction code = isa::parse_operation(
          layouts ? instruction(mnemonic, "R0", "R16.ROW", "R32.COL", "R0") : instruction(mnemonic, "R0", "R16", "R32", "R0"), arch);
      if (tc::subcore::unsupported_reason(*code.mma, machine.sm.sub_core.tensor_core).empty())
        forms.push_back({std::string(mnemonic), *code.mma, layouts});
    } catch (const isa::syntax_error&) {  // another architecture's
    }
  }
  return forms;
}

std::vector<std::string> random_matrix_instructions(const matrix_form& form, random_numbers& random) {
  const isa::mma_operation& mma = form.mma;
  if (mma.steps > 1) return steps(form, random);
  const std::string a = with_reuse(random_registers(random, mma.a_registers()), random);
  const std::string b = with_reuse(random_registers(random, mma.b_registers()), random);
  const std::string d = random_registers(random, mma.d_registers());
  const unsigned choice = random.below(100);
  const std::string c = choice < 60 ? d : choice < 80 ? std::string("RZ") : random_registers(random, mma.c_registers());
  return {instruction(form.mnemonic, d, form.has_layouts ? a + ".ROW" : a, form.has_layouts ? b + ".COL" : b, c)};
}

}  // namespace tcsim::random_programs
