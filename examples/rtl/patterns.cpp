// SPDX-License-Identifier: Apache-2.0
#include "patterns.hpp"

#include <array>

namespace rtl::test {

namespace {

/// Zeros, the smallest and largest subnormals and numbers, one and its neighbours, infinities and NaNs.
constexpr std::array<std::uint16_t, 16> f16_borders{0x0000, 0x8000, 0x0001, 0x8001, 0x03ff, 0x0400, 0x8400, 0x3bff,
                                                    0x3c00, 0xbc00, 0x3c01, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e01};
constexpr std::array<std::uint32_t, 16> f32_borders{0x00000000, 0x80000000, 0x00000001, 0x807fffff, 0x00800000, 0x3f800000,
                                                    0xbf800000, 0x3f800001, 0x33800000, 0x7f7fffff, 0xff7fffff, 0x7f800000,
                                                    0xff800000, 0x7fc00001, 0x0d000000, 0x00400000};

class pattern_source {
 public:
  pattern_source(unsigned length, unsigned seed) : length_(length), random_(seed) {}

  operation next() {
    operation one;
    one.is_f16 = pick(2) == 0;
    const unsigned kind = pick(8);
    if (kind == 0)
      return filled(
          one, [this](unsigned) { return bits(); }, bits() | bits() << 16);
    if (kind == 1)
      return filled(
          one, [this](unsigned) { return f16_borders[pick(16)]; }, border_addend(one.is_f16));
    if (kind == 2) return sparse(one);
    if (kind == 3) return just_above_tie(one);
    return filled(
        one, [this, kind](unsigned) { return similar(3 * kind - 11); }, similar_addend(one.is_f16));
  }

 private:
  unsigned pick(unsigned count) { return static_cast<unsigned>(random_() % count); }
  std::uint16_t bits() { return static_cast<std::uint16_t>(random_()); }

  template <class Factor>
  operation filled(operation one, const Factor& factor, std::uint32_t c) {
    for (unsigned i = 0; i < length_; ++i) {
      one.a.push_back(static_cast<std::uint16_t>(factor(i)));
      one.b.push_back(static_cast<std::uint16_t>(factor(i)));
    }
    one.c = one.is_f16 ? c & 0xffff : c;
    return one;
  }

  /// Few products, tiny addends: what the floor of the alignment and zeros are about.
  operation sparse(const operation& one) {
    const auto mostly_zero = [this](unsigned) { return pick(4) == 0 ? similar(1) : f16_borders[pick(2)]; };
    const std::uint32_t tiny = one.is_f16 ? random_() % 0x800 : random_() % 0x1000000;
    return filled(one, mostly_zero, tiny | (pick(2) == 0 ? 0 : (one.is_f16 ? 0x8000U : 0x80000000U)));
  }

  /// 2^-25, half of the smallest f16, and a product of 2^-39 to 2^-46, which may be too small for the alignment: what is left of it decides
  /// the rounding.
  operation just_above_tie(const operation& one) {
    operation two_products = filled(
        one, [this](unsigned) { return f16_borders[pick(2)]; }, 0);
    two_products.a[0] = 0x0c00;                                         // 2^-12
    two_products.b[0] = 0x0800;                                         // 2^-13
    two_products.a[1] = static_cast<std::uint16_t>(0x0200 >> pick(8));  // 2^-15 to 2^-22
    two_products.b[1] = 0x0001;                                         // 2^-24
    return two_products;
  }

  /// An f16 of one of few exponents.
  std::uint16_t similar(unsigned exponent) {
    const unsigned fraction = pick(3) == 0 ? 0 : pick(1024);
    return static_cast<std::uint16_t>(pick(2) << 15 | (exponent + pick(3)) % 31 << 10 | fraction);
  }

  std::uint32_t similar_addend(bool is_f16) {
    if (is_f16) return similar(pick(28));
    return static_cast<std::uint32_t>(random_()) >> 9 | (90 + pick(60)) << 23 | pick(2) << 31;
  }

  std::uint32_t border_addend(bool is_f16) { return is_f16 ? f16_borders[pick(16)] : f32_borders[pick(16)]; }

  const unsigned length_;
  std::mt19937 random_;
};

}  // namespace

std::vector<operation> make_patterns(unsigned length, std::size_t count, unsigned seed) {
  pattern_source source(length, seed);
  std::vector<operation> patterns;
  while (patterns.size() < count) patterns.push_back(source.next());
  return patterns;
}

}  // namespace rtl::test
