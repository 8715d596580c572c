// SPDX-License-Identifier: Apache-2.0
#include "warpgroup_instructions.hpp"

#include <algorithm>
#include <array>
#include <device/canonical_matrix.hpp>
#include <optional>
#include <string_view>

#include <fmt/format.h>

namespace tcsim::random_programs {

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
