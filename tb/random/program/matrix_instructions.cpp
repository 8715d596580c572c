// SPDX-License-Identifier: Apache-2.0
#include "matrix_instructions.hpp"

#include <algorithm>
#include <array>
#include <device/canonical_matrix.hpp>
#include <optional>
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

namespace {

using tc::device::test::tensor::canonical_matrix;

constexpr unsigned warpgroup_rows = 64, operand_bytes = 32;  // of K
constexpr unsigned a_registers = 4;

struct product_types {
  std::string_view d, a, b;
  unsigned a_bytes, d_bits;
  bool transposes, scales;
};
// clang-format off
constexpr std::array<product_types, 14> types{{
    {"f32", "f16", "f16", 2, 32, true, true}, {"f16", "f16", "f16", 2, 16, true, true}, {"f32", "bf16", "bf16", 2, 32, true, true},
    {"f32", "f16", "f16", 2, 32, true, true}, {"f32", "tf32", "tf32", 4, 32, false, true}, {"f32", "e4m3", "e5m2", 1, 32, false, true},
    {"f16", "e5m2", "e4m3", 1, 16, false, true}, {"f32", "e4m3", "e4m3", 1, 32, false, true}, {"s32", "s8", "s8", 1, 32, false, false},
    {"s32", "u8", "s8", 1, 32, false, false}, {"s32", "s8", "u8", 1, 32, false, false}, {"s32", "u8", "u8", 1, 32, false, false},
    {"f16", "e4m3", "e4m3", 1, 16, false, true}, {"f32", "e5m2", "e5m2", 1, 32, false, true},
}};
// clang-format on

/// A matrix of so many rows somewhere in the area, in one of the canonical layouts.
std::optional<canonical_matrix> random_matrix(random_numbers& random, const operand_area& area, unsigned rows, unsigned bytes,
                                              bool along_rows) {
  static constexpr std::array<unsigned, 4> swizzles{0, 2, 4, 6}, widths{16, 128, 64, 32};
  const unsigned which = random.below(4), width = widths.at(which), pattern = 8 * width;
  const auto times = [&random](unsigned most) { return random.chance(70) ? 1U : random.between(1, most); };
  canonical_matrix matrix{0, pattern * times(4), pattern * times(4), swizzles.at(which), along_rows};
  const unsigned places = (area.end - area.begin) / pattern;
  if (places == 0) return std::nullopt;
  const std::uint32_t aligned = (area.begin + pattern - 1) / pattern * pattern;
  matrix.start = aligned + random.below(places) * pattern;
  if (which != 0 && !along_rows) matrix.start += random.below(width / operand_bytes) * operand_bytes;
  std::uint32_t last = 0;
  for (unsigned row = 0; row < rows; ++row)
    for (unsigned k = 0; k < operand_bytes / bytes; ++k) last = std::max(last, matrix.address(row, k, bytes));
  if (last + bytes > area.end) return std::nullopt;
  return matrix;
}

/// Makes up the operands of instructions that go on with the same accumulators, or with others.
class group_writer {
 public:
  group_writer(random_numbers& random, const operand_area& area) : random_(random), area_(area), type_(random.pick(types)) {
    const unsigned registers_of_tile = type_.d_bits / 8;  // of eight columns
    tiles_ = random_.between(1, 8);
    if (type_.a == "s8" || type_.a == "u8") tiles_ = tiles_ > 3 ? tiles_ / 2 * 2 : tiles_;
    accumulators_ = tiles_ * registers_of_tile;
    first_ = random_.below(used_registers - accumulators_ - a_registers + 1);
    a_first_ = random_.chance(50) && first_ >= a_registers ? first_ - a_registers : first_ + accumulators_;
  }

  std::optional<std::string> instruction() {
    const bool a_along_rows = type_.transposes && random_.chance(30), b_along_rows = type_.transposes && random_.chance(30);
    const bool from_registers = random_.chance(35);
    const auto a = random_matrix(random_, area_, warpgroup_rows, type_.a_bytes, a_along_rows);
    const auto b = random_matrix(random_, area_, 8 * tiles_, type_.a_bytes, b_along_rows);
    if ((!a && !from_registers) || !b) return std::nullopt;
    const bool saturates = !type_.scales && random_.chance(30);
    std::string text = fmt::format("wgmma.mma_async.sync.aligned.m64n{}k{}{}.{}.{}.{} {}, ", 8 * tiles_, operand_bytes / type_.a_bytes,
                                   saturates ? ".satfinite" : "", type_.d, type_.a, type_.b, registers(first_, accumulators_));
    text += from_registers ? registers(a_first_, a_registers) : descriptor(*a);
    text += fmt::format(", {}, {}", descriptor(*b), random_.chance(75) ? 1 : 0);
    if (!type_.scales) return text;
    text += fmt::format(", {}, {}", random_.chance(80) ? 1 : -1, random_.chance(80) ? 1 : -1);
    if (!type_.transposes) return text;
    if (!from_registers) text += fmt::format(", {}", a_along_rows ? 1 : 0);
    return text + fmt::format(", {}", b_along_rows ? 1 : 0);
  }

 private:
  static std::string registers(unsigned first, unsigned count) {
    std::string text = "{";
    for (unsigned i = 0; i < count; ++i) text += fmt::format("{}R{}", i > 0 ? ", " : "", first + i);
    return text + "}";
  }
  /// As wgmma has them: without the bit that tcgen05 sets, and the swizzle in bits 62 and 63.
  static std::string descriptor(const canonical_matrix& matrix) {
    return fmt::format("{:#x}", matrix.descriptor() & ~(std::uint64_t{1} << 46U));
  }

  random_numbers& random_;
  const operand_area& area_;
  product_types type_;
  unsigned tiles_ = 1, accumulators_ = 4, first_ = 0, a_first_ = 0;
};

}  // namespace

std::vector<std::string> random_warpgroup_instructions(random_numbers& random, const operand_area& area) {
  std::vector<std::string> result{"wgmma.fence.sync.aligned"};
  for (unsigned groups = random.between(1, 3); groups > 0; --groups) {
    group_writer group(random, area);
    // Sometimes more than wait for operands in any queue.
    for (unsigned i = random.chance(92) ? random.between(1, 4) : random.between(5, 48); i > 0; --i)
      if (const auto text = group.instruction()) result.push_back(*text);
    result.emplace_back("wgmma.commit_group.sync.aligned");
    // Groups may use registers of each other, so each is waited for.
    result.emplace_back("wgmma.wait_group.sync.aligned 0");
    if (groups > 1) result.emplace_back("wgmma.fence.sync.aligned");
  }
  return result;
}

}  // namespace tcsim::random_programs
