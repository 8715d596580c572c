// SPDX-License-Identifier: Apache-2.0
#include "instruction_templates.hpp"

#include <vector>

#include <fmt/format.h>

namespace tcsim::random_programs {

namespace isa = tc::isa;

namespace {

constexpr unsigned constant_words = 256;  // of bank 0

struct template_row {
  isa::architecture_range architectures;
  std::string_view text;
};

constexpr isa::architecture_range always{};
constexpr isa::architecture_range turing_on = isa::turing_on, ampere_on = isa::ampere_on, hopper_on = isa::hopper_on;

// clang-format off
constexpr template_row rows[] = {
    {always, "IADD3 %d, %s, %s, %s"},
    {always, "IADD3 %d, %r, %R, %s"},
    {always, "IADD3 %d, %p, %s, %r, %s"},
    {always, "IADD3 %d, %p, %p, %r, %r, %r"},
    {always, "IADD3.X %d, %n, %r, %r, %c, %c"},
    {always, "IADD3.X %d, %p, %r, %n, %r, %c, %c"},
    {always, "IMAD{|.U32} %d, %r, %R, %s"},
    {always, "IMAD.MOV.U32 %d, RZ, RZ, %r"},
    {always, "IMAD.X %d, %r, %r, %r, %c"},
    {always, "IMAD.WIDE{|.U32} %D, %r, %r, %Q"},
    {always, "IMAD.WIDE.U32 %D, %p, %r, %r, %Q"},
    {always, "IMAD.HI{|.U32} %d, %r, %r, %Q"},
    {isa::until_turing, "IMNMX{|.U32} %d, %r, %R, %c"},
    {hopper_on, "VIMNMX{|.U32} %d, %r, %R, %c"},
    {hopper_on, "VIADD %d, %s, %R"},
    {always, "IABS %d, %r"},
    {always, "ISETP.{LT|EQ|LE|GT|NE|GE}{|.U32}.{AND|OR|XOR} %p, %p, %r, %R, %c"},
    {always, "ISETP.{LT|EQ|LE|GT|NE|GE}{|.U32}.{AND|OR|XOR}.EX %p, %p, %r, %r, %c, %c"},
    {always, "LEA %d, %r, %s, 0x%i"},
    {always, "LEA %d, %p, %r, %r, 0x%i"},
    {always, "LEA.HI %d, %r, %r, %r, 0x%i"},
    {always, "LEA.HI.X %d, %r, %r, %r, 0x%i, %c"},
    {always, "LEA.HI.X.SX32 %d, %r, %r, 0x%i, %c"},
    {always, "LOP3.LUT %d, %n, %R, %r, 0x%b, !PT"},
    {always, "LOP3.LUT %p, %d, %r, %r, %n, 0x%b, %c"},
    {always, "PLOP3.LUT %p, %p, %c, %c, %c, 0x%b, 0x%b"},
    {always, "MOV %d, %R"},
    {always, "SEL %d, %r, %R, %c"},
    {always, "PRMT %d, %r, {%r|0x%b|0x%x}, %r"},
    {always, "PRMT{.F4E|.B4E|.RC8|.ECL|.ECR|.RC16} %d, %r, {%r|0x%b}, %r"},
    {always, "SHF.L{|.W}.U32{|.HI} %d, %r, {0x%i|%r}, %r"},
    {always, "SHF.R{|.W}.{U32|S32}{|.HI} %d, %r, {0x%i|%r}, %r"},
    {always, "SHF.L{|.W}.U64.HI %d, %r, {0x%i|%r}, %r"},
    {always, "SHF.R{|.W}.{U64|S64} %d, %r, {0x%i|%r}, %r"},
    {always, "SGXT{|.W}{|.U32} %d, %r, {0x%i|%r}"},
    {always, "BMSK{|.W} %d, {%r|0x%i}, {%r|0x%i}"},
    {always, "POPC %d, %n"},
    {always, "FLO{|.U32} %d, %n"},
    {always, "BREV %d, %r"},

    {always, "FADD{|.FTZ}{|.RM|.RP|.RZ}{|.SAT} %d, %f, %f"},
    {always, "FMUL{|.FTZ|.FMZ}{|.RM|.RP|.RZ}{|.SAT} %d, %f, %f"},
    {always, "FFMA{|.FTZ|.FMZ}{|.RM|.RP|.RZ}{|.SAT} %d, %f, %f, %f"},
    {always, "HADD2 %d, %h, %h"},
    {always, "HMUL2 %d, %h, %h"},
    {always, "HFMA2 %d, %h, %h, %h"},
    {always, "HADD2.F32 %d, -RZ, {%r|%d.H0_H0|%d.H1_H1}"},
    {ampere_on, "HADD2.BF16_V2 %d, %h, %h"},
    {ampere_on, "HMUL2.BF16_V2 %d, %h, %h"},
    {ampere_on, "HFMA2.BF16_V2 %d, %h, %h, %h"},
    {ampere_on, "HFMA2.MMA{|.RELU} %d, %h, %h, %h"},
    {always, "F2F{|.FTZ}.F16.F32{|.RM|.RP|.RZ} %d, %f"},
    {always, "F2F{|.FTZ}.F64.F32 %D, %f"},
    {always, "F2F.F32.F64{|.RM|.RP|.RZ} %d, %Q"},
    {turing_on, "F2FP.PACK_AB %d, %f, %f"},
    {ampere_on, "F2FP{.F16|.BF16}.F32.PACK_AB %d, %f, %f"},
    {always, "F2I{|.U32}{|.TRUNC|.FLOOR|.CEIL}{|.NTZ} %d, %f"},
    {always, "F2I.{U64|S64}{|.TRUNC|.FLOOR|.CEIL} %D, %f"},
    {always, "F2I.F64{|.TRUNC|.FLOOR|.CEIL} %d, %Q"},
    {always, "F2I.F16{|.TRUNC} %d, %d.{H0|H1}"},
    {always, "I2F{|.U32}{|.RM|.RP|.RZ} %d, %r"},
    {always, "I2F.{U64|S64}{|.RM|.RP|.RZ} %d, %Q"},
    {always, "I2F.F16 %d, %r"},
    {always, "I2F.F64{|.U32} %D, %r"},
    {always, "I2F.{U8|S8} %d, %d.{B0|B1|B2|B3}"},
    {always, "I2F.{U16|S16} %d, %d.H1"},
    {ampere_on, "I2FP.F32.{U32|S32} %d, %r"},

    {always, "S2R %d, SR_{TID.X|TID.Y|TID.Z|CTAID.X|CTAID.Y|CTAID.Z}"},
    {always, "S2R %d, SR_{LANEID|EQMASK|LTMASK|LEMASK|GTMASK|GEMASK}"},
    {hopper_on, "S2R %d, SR_CgaCtaId"},
    {always, "CS2R %D, SRZ"},
    {always, "LDC %d, %k"},
    {turing_on, "MOVM.16.MT88 %d, %d"},

    {turing_on, "UIADD3 %u, %v, %v, %v"},
    {turing_on, "UIADD3 %u, %q, %v, %v, URZ"},
    {turing_on, "UIADD3.X %u, %v, %v, URZ, %w, !UPT"},
    {turing_on, "UIMAD %u, %v, %v, %v"},
    {turing_on, "ULEA %u, %v, %v, 0x%i"},
    {turing_on, "ULOP3.LUT %u, %v, %v, %v, 0x%b, !UPT"},
    {turing_on, "UMOV %u, 0x%x"},
    {turing_on, "USEL %u, %v, %v, %w"},
    {turing_on, "USHF.{L|R}.U32{|.HI} %u, %v, 0x%i, %v"},
    {turing_on, "UISETP.{LT|EQ|GE}{|.U32}.AND %q, UPT, %v, %v, %w"},
    {turing_on, "UPRMT %u, %v, 0x%b, %v"},
    {turing_on, "UPOPC %u, %v"},
    {turing_on, "UFLO.U32 %u, %v"},
    {turing_on, "UBREV %u, %v"},
    {turing_on, "ULDC %u, %k"},
    {turing_on, "R2UR %u, %d"},
    {turing_on, "IADD3 %d, %r, %v, %r"},
    {turing_on, "PLOP3.LUT %p, PT, %c, PT, %w, 0x%b, 0x0"},
};
// clang-format on

/// One of the texts between bars.
std::string_view pick_text(std::string_view choices, random_numbers& random) {
  std::vector<std::string_view> texts;
  for (std::size_t bar = 0; bar != std::string_view::npos;) {
    bar = choices.find('|');
    texts.push_back(choices.substr(0, bar));
    choices.remove_prefix(bar == std::string_view::npos ? choices.size() : bar + 1);
  }
  return texts[random.below(static_cast<unsigned>(texts.size()))];
}

std::string pick_all(std::string_view text, random_numbers& random) {
  std::string result;
  while (!text.empty()) {
    const std::size_t open = text.find('{');
    result += text.substr(0, open);
    if (open == std::string_view::npos) break;
    const std::size_t close = text.find('}', open);
    result += pick_text(text.substr(open + 1, close - open - 1), random);
    text.remove_prefix(close + 1);
  }
  return result;
}

std::string source(random_numbers& random) {
  if (random.chance(6)) return "RZ";
  return random_registers(random, 1) + (random.chance(10) ? ".reuse" : "");
}

std::string signed_number(random_numbers& random) {
  const std::string name = random.chance(4) ? "RZ" : random_registers(random, 1);
  const std::string magnitude = random.chance(12) ? "|" + name + "|" : name;
  return (random.chance(25) ? "-" : "") + magnitude;
}

std::string constant(random_numbers& random) { return fmt::format("c[0x0][{:#x}]", 4 * random.below(constant_words)); }

std::string any_source(random_numbers& random) {
  const unsigned kind = random.below(100);
  if (kind < 70) return source(random);
  return kind < 85 ? fmt::format("{:#x}", random.chance(50) ? random.below(64) : random.word()) : constant(random);
}

std::string predicate(random_numbers& random, std::string_view prefix, bool is_source) {
  const std::string name = random.chance(15) ? fmt::format("{}T", prefix) : fmt::format("{}{}", prefix, random.below(used_predicates));
  return is_source && random.chance(35) ? "!" + name : name;
}

std::string operand(char letter, random_numbers& random) {
  switch (letter) {
    case 'd':
      return random_registers(random, 1);
    case 'D':
      return random_registers(random, 2);
    case 'r':
      return source(random);
    case 'Q':
      return random.chance(10) ? "RZ" : random_registers(random, 2);
    case 's':
      return (random.chance(25) ? "-" : "") + source(random);
    case 'n':
      return (random.chance(25) ? "~" : "") + source(random);
    case 'R':
      return any_source(random);
    case 'f':
      return signed_number(random);
    case 'h':
      return signed_number(random) + (random.chance(25) ? (random.chance(50) ? ".H0_H0" : ".H1_H1") : "");
    case 'i':
      return fmt::format("{:x}", random.below(40));
    case 'b':
      return fmt::format("{:x}", random.below(256));
    case 'x':
      return fmt::format("{:x}", random.word());
    case 'k':
      return constant(random);
    case 'u':
      return fmt::format("UR{}", random.below(used_uniform_registers));
    case 'v':
      return random.chance(10) ? "URZ" : fmt::format("UR{}", random.below(used_uniform_registers));
    case 'p':
      return predicate(random, "P", false);
    case 'c':
      return predicate(random, "P", true);
    case 'q':
      return predicate(random, "UP", false);
    case 'w':
      return predicate(random, "UP", true);
    default:
      return "?";
  }
}

}  // namespace

std::string random_registers(random_numbers& random, unsigned count) {
  return fmt::format("R{}", random.below(used_registers / count) * count);
}

std::string expand_template(std::string_view text, random_numbers& random) {
  const std::string chosen = pick_all(text, random);
  std::string result;
  for (std::size_t i = 0; i < chosen.size(); ++i) {
    if (chosen[i] == '%')
      result += operand(chosen[++i], random);
    else
      result += chosen[i];
  }
  return result;
}

std::string random_lane_instruction(random_numbers& random, isa::architecture arch) {
  for (;;) {
    const template_row& row = rows[random.below(static_cast<unsigned>(std::size(rows)))];
    if (row.architectures.contains(arch)) return expand_template(row.text, random);
  }
}

}  // namespace tcsim::random_programs
