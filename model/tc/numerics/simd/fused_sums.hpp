// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tc/numerics/simd/elements.hpp>
#include <tc/numerics/simd/kernels.hpp>
#include <tc/numerics/simd/rounding.hpp>
#include <tc/numerics/simd/vectors.hpp>

namespace tc::numerics::simd {
namespace {

/// Lanes that hold exponents: two of 16 bits for the two elements of a step, or one of 32.
template <std::size_t Bytes, bool Pairs>
struct exponent_vector {
  using type = typename vectors<Bytes>::s16;
};
template <std::size_t Bytes>
struct exponent_vector<Bytes, false> {
  using type = typename vectors<Bytes>::s32;
};

/// The shape of tiles that a kernel is for: rows, their words, columns. The compiler knows it, and has no address to compute at run time. A
/// word is one step then, the rows fill their vectors, and all products of an element are of one group.
template <unsigned Rows, unsigned Columns, unsigned Words>
struct tile_shape {
  static constexpr unsigned rows = Rows, columns = Columns, words = Words;
};
/// No shape is known.
using any_shape = tile_shape<0, 0, 0>;

/// Truncated fused dot-product-adds of a tile. Lanes are rows; the elements of B are the same in all lanes of a product.
///
/// A product of two significands is exact in binary32, and so is its product with a power of two. Scaled to units of the alignment and
/// converted to an integer, it is truncated toward zero, as the datapath does. So a term needs two multiplications, a conversion and
/// an addition, and no shift by a variable distance, which small instruction sets lack.
///
///   Columns  that are worked on together, so that one's latency hides behind another's work
///   Pairs    a step holds two elements of a row, in the halves of 32 bits: elements i and i + half of a word; else one of 32 bits
///   Narrow   factors are values, and all products of a sum share a scale; else they are significands, and each product has its own
///   Kind     what is added to, and how large sums may be
///   Together  so many products stand side by side, each with its part of the lanes and a B of its own
///   Shape    of each product; 0 where it may be any
template <std::size_t Bytes, unsigned Columns, bool Pairs, bool Narrow, sum_kind Kind, unsigned Together = 1, class Shape = any_shape>
class fused_sums {
 public:
  static bool run(const fused_plan& plan, const tile& operands) { return fused_sums(plan, operands).product(); }
  /// The same, by a kernel for the shape if there is one among these: the last that fits.
  template <class... Known>
  static bool run_by_shape(const fused_plan& plan, const tile& operands) {
    kernel chosen = run;
    if (plan.a.storage_bits * elements_per_step == 32 && operands.words <= plan.group_words && operands.rows * Together % lanes == 0)
      ((chosen = fits<Known>(operands) ? fused_sums<Bytes, Columns, Pairs, Narrow, Kind, Together, Known>::run : chosen), ...);
    return chosen(plan, operands);
  }

 private:
  using f32 = typename vectors<Bytes>::f32;
  using s32 = typename vectors<Bytes>::s32;
  using u32 = typename vectors<Bytes>::u32;
  using exponent_lanes = typename exponent_vector<Bytes, Pairs>::type;
  using decoder = element_decoder<Bytes>;
  static constexpr bool Wide = Kind == sum_kind::wide;
  using sum = split_sum<Bytes, Wide>;
  static constexpr unsigned lanes = vectors<Bytes>::lanes, elements_per_step = Pairs ? 2 : 1;
  static constexpr unsigned group_lanes = lanes / Together;  ///< of each product
  /// Exponent field of a power of two that makes every product smaller than 1. Smaller ones might give subnormal numbers, which are slow.
  static constexpr int negligible = 100;
  /// Exponent fields of normal numbers of binary32, from 1 on.
  static constexpr std::uint32_t normal_fields = 254;

  using kernel = bool (*)(const fused_plan&, const tile&);

  struct words {
    unsigned first, end;
  };
  struct step {
    exponent_lanes exponents;
    f32 factors[elements_per_step];
  };

  [[gnu::always_inline]] fused_sums(const fused_plan& plan, const tile& operands) : plan_(plan), tile_(operands) {}

  template <class Known>
  static bool fits(const tile& operands) {
    const bool has_rows = Known::rows == 0 || (operands.rows == Known::rows && operands.stride == Known::rows);
    return has_rows && (Known::columns == 0 || operands.columns == Known::columns) && operands.words == Known::words;
  }

  [[gnu::always_inline]] bool product() {
    decode_b();
    s32 left{};
    for (unsigned row = 0; row < rows(); row += lanes) {
      decode_a(row);
      unsigned n = 0;
      for (; n + Columns <= all_columns(); n += Columns) left |= columns<Columns>(row, n);
      for (; n < all_columns(); ++n) left |= columns<1>(row, n);
    }
    return any_lane(left);
  }

  // Copies of the fields show the compiler that no result overwrites them.
  [[gnu::always_inline]] void decode_a(unsigned row) {
    const element_fields fields = plan_.a;
    for (unsigned s = 0; s < steps_per_word(); ++s) {
      for (unsigned w = 0; w < words_of_row(); ++w)
        a_[s * words_of_row() + w] = decode(load_rows(tile_.a + w * stride() + row, tile_.a_apart, rows_from(row)), s, fields);
    }
  }

  /// Products that stand side by side have theirs so in each vector: some words of the first one's B, then the same words of the next
  /// one's.
  [[gnu::always_inline]] void decode_b() {
    const element_fields fields = plan_.b;
    for (unsigned s = 0; s < steps_per_word(); ++s) {
      unsigned at = s * b_stride();
      for (unsigned w = 0; w < words_of_b(); w += group_lanes, at += lanes) {
        const step decoded = decode(load_rows(tile_.b + w, words_of_b(), words_of_b() - w), s, fields);
        __builtin_memcpy(b_exponents_ + at, &decoded.exponents, Bytes);
        for (unsigned i = 0; i < elements_per_step; ++i) __builtin_memcpy(b_factors_[i] + at, &decoded.factors[i], Bytes);
      }
    }
  }

  [[gnu::always_inline]] static step decode(u32 word, unsigned number, const element_fields& fields) {
    const unsigned position = fields.sign_position + number * fields.storage_bits;
    step decoded;
    if constexpr (Pairs) {
      decoded.exponents = decoder::exponents(bits_as<exponent_lanes>(word) << splat<exponent_lanes>(15 - position), fields);
      decoded.factors[1] = factors(word << static_cast<int>(15 - position), fields);
    } else {
      decoded.exponents = decoder::exponents(bits_as<exponent_lanes>(word << static_cast<int>(31 - position)), fields);
    }
    decoded.factors[0] = factors(word << static_cast<int>(31 - position), fields);
    return decoded;
  }

  [[gnu::always_inline]] static f32 factors(u32 elements, const element_fields& fields) {
    if constexpr (Narrow) return decoder::narrow_values(elements, fields);
    return decoder::significands(elements, fields);
  }

  /// Columns n to n + Count - 1 of some rows. Returns which elements were left as they were.
  template <unsigned Count>
  [[gnu::always_inline]] s32 columns(unsigned row, unsigned n) const {
    const unsigned rows = rows_from(row);
    u32 sums[Count];
    s32 left[Count], any{};
    for (unsigned i = 0; i < Count; ++i) {
      sums[i] = load_rows(tile_.c + (n + i) * stride() + row, words_of_d(), rows);
      left[i] = s32{};
    }
    for (unsigned first = 0; first < words_of_row(); first += group_words()) {
      const words group{first, first + least(group_words(), words_of_row() - first)};
      if constexpr (Kind == sum_kind::binary32)
        add_binary32_group<Count>(n, group, sums, left);
      else
        add_group<Count>(n, group, sums, left);
    }
    for (unsigned i = 0; i < Count; ++i) {
      const unsigned element = (n + i) * stride() + row;
      store_rows(tile_.d + element, left[i] != 0 ? load_rows(tile_.c + element, words_of_d(), rows) : sums[i], rows);
      store(tile_.left + (n + i) * maximum_rows + row, left[i], Together > 1 ? lanes : rows);
      any |= left[i];
    }
    return any;
  }

  /// One fused dot-product-add for each of Count columns.
  template <unsigned Count>
  [[gnu::always_inline]] void add_group(unsigned n, words group, u32 (&sums)[Count], s32 (&left)[Count]) const {
    s32 unit[Count], addend_exponent[Count];
    f32 addend[Count];
    sum total[Count];
    largest_exponents(n, group, unit);
    for (unsigned i = 0; i < Count; ++i) {
      const u32 elements = flushed(sums[i] << static_cast<int>(31 - plan_.addend.sign_position));
      addend[i] = decoder::significands(elements, plan_.addend);
      addend_exponent[i] = decoder::exponents(bits_as<s32>(elements), plan_.addend) + plan_.addend_offset;
      const s32 largest = max(unit[i], addend_exponent[i]);
      left[i] |= largest >= first_special_exponent;
      unit[i] = largest - plan_.alignment_fraction_bits;
    }
    const unsigned words_per_sum = Wide ? plan_.words_per_partial_sum : words_of_row();
    for (unsigned first = group.first; first < group.end; first += words_per_sum)
      add_products(n, {first, first + least(words_per_sum, group.end - first)}, unit, total);
    for (unsigned i = 0; i < Count; ++i) {
      total[i].add(truncated(addend[i], power_of_two(max(addend_exponent[i] - unit[i] + 127, splat<s32>(negligible)))));
      sums[i] = rounded(plan_, total[i], unit[i]);
    }
  }

  /// The same in binary32, rounded toward zero. The hidden bit makes numbers that are normal easier to take apart and to put together; the
  /// others, and sums that do not fit, are left as they were.
  template <unsigned Count>
  [[gnu::always_inline]] void add_binary32_group(unsigned n, words group, u32 (&sums)[Count], s32 (&left)[Count]) const {
    s32 unit[Count], addend[Count], products[Count];
    largest_exponents(n, group, unit);
    for (unsigned i = 0; i < Count; ++i) {
      const s32 exponent = binary32_exponents(bits_as<s32>(sums[i])) + plan_.addend_offset;
      const s32 largest = max(unit[i], exponent);
      left[i] |= largest >= first_special_exponent;
      unit[i] = largest - plan_.alignment_fraction_bits;
      const u32 scaled = bits_as<u32>(max(exponent - unit[i] + 127, splat<s32>(negligible))) << 23;
      addend[i] = __builtin_convertvector(bits_as<f32>((sums[i] & ~decoder::exponent_mask) | scaled), s32);
    }
    sums_of_products(n, group, unit, products);
    for (unsigned i = 0; i < Count; ++i) {
      left[i] |= bits_as<u32>(products[i]) + largest_products > splat<u32>(2 * largest_products);
      sum total;
      total.add(products[i]);
      total.add(addend[i]);
      const auto [negative, magnitude, inexact] = total.magnitude();
      const s32 above = unit[i] - (126 + plan_.minimum_exponent), field = (magnitude >> 23) + above;
      left[i] |= (magnitude != 0) & (bits_as<u32>(field - 1) >= splat<u32>(normal_fields));
      const u32 result = bits_as<u32>(magnitude) + (bits_as<u32>(above) << 23);
      sums[i] = magnitude != 0 ? result | (bits_as<u32>(negative) & decoder::sign) : u32{};
    }
  }

  /// Exponent fields of addends; what is subnormal counts as special.
  [[gnu::always_inline]] s32 binary32_exponents(s32 addends) const {
    const s32 magnitude = addends & 0x7fffffff, field = magnitude >> 23;
    const s32 others = magnitude < plan_.addend.smallest ? splat<s32>(zero_addend_exponent) : splat<s32>(special_operand_exponent);
    return bits_as<u32>(field - 1) < splat<u32>(normal_fields) ? field : others;
  }

  template <unsigned Count>
  [[gnu::always_inline]] void largest_exponents(unsigned n, words group, s32 (&largest)[Count]) const {
    exponent_lanes found[Count];
    for (unsigned i = 0; i < Count; ++i) found[i] = splat<exponent_lanes>(plan_.smallest_alignment);
    for (unsigned s = 0; s < steps_per_word(); ++s) {
      for (unsigned w = group.first; w < group.end; ++w) {
        const exponent_lanes a = a_[s * words_of_row() + w].exponents;
        for (unsigned i = 0; i < Count; ++i) found[i] = max(found[i], a + b_exponents(s, n + i, w));
      }
    }
    for (unsigned i = 0; i < Count; ++i) {
      largest[i] = bits_as<s32>(found[i]);
      if constexpr (Pairs) largest[i] = max(largest[i] << 16 >> 16, largest[i] >> 16);
    }
  }

  template <unsigned Count>
  [[gnu::always_inline]] void add_products(unsigned n, words part, const s32 (&unit)[Count], sum (&total)[Count]) const {
    s32 partial[Count];
    sums_of_products(n, part, unit, partial);
    for (unsigned i = 0; i < Count; ++i) total[i].add(partial[i]);
  }

  template <unsigned Count>
  [[gnu::always_inline]] void sums_of_products(unsigned n, words part, const s32 (&unit)[Count], s32 (&sums)[Count]) const {
    u32 partial[Count];
    scale scales[Count];
    for (unsigned i = 0; i < Count; ++i) {
      partial[i] = u32{};
      scales[i] = scale(unit[i]);
    }
    for (unsigned s = 0; s < steps_per_word(); ++s) {
      for (unsigned w = part.first; w < part.end; ++w) {
        const step& a = a_[s * words_of_row() + w];
        for (unsigned i = 0; i < Count; ++i) {
          f32 powers[elements_per_step];
          scales[i].of(a.exponents, b_exponents(s, n + i, w), powers);
          for (unsigned e = 0; e < elements_per_step; ++e)
            partial[i] += bits_as<u32>(truncated(a.factors[e] * b_factors(e, s, n + i, w), powers[e]));
        }
      }
    }
    for (unsigned i = 0; i < Count; ++i) sums[i] = bits_as<s32>(partial[i]);
  }

  /// Powers of two that bring products to units of the alignment.
  class scale {
   public:
    scale() = default;
    [[gnu::always_inline]] explicit scale(s32 unit) {
      if constexpr (Narrow) {
        // The upper limit is for sums whose products are all zero.
        common_ = power_of_two(min(max(127 + 2 * narrow_centre - unit, s32{}), splat<s32>(200)));
      } else {
        const s32 origin = unit - 127;
        origin_ = bits_as<exponent_lanes>(Pairs ? (origin & 0xffff) | origin << 16 : origin);
      }
    }
    [[gnu::always_inline]] void of(exponent_lanes a, exponent_lanes b, f32 (&powers)[elements_per_step]) const {
      if constexpr (Narrow) {
        for (f32& power : powers) power = common_;
      } else {
        const s32 fields = bits_as<s32>(max(a + b - origin_, splat<exponent_lanes>(negligible)));
        powers[0] = power_of_two(fields);
        if constexpr (Pairs) powers[1] = power_of_two(fields >> 16);
      }
    }

   private:
    f32 common_;
    exponent_lanes origin_;
  };

  [[gnu::always_inline]] exponent_lanes b_exponents(unsigned s, unsigned n, unsigned w) const {
    return bits_as<exponent_lanes>(of_b<s32>(b_exponents_ + s * b_stride(), n * words_of_row() + w));
  }
  [[gnu::always_inline]] f32 b_factors(unsigned e, unsigned s, unsigned n, unsigned w) const {
    return of_b<f32>(b_factors_[e] + s * b_stride(), n * words_of_row() + w);
  }
  /// What the `number`th word of B has, in the lanes of each product.
  template <class Vector, class Value>
  [[gnu::always_inline]] static Vector of_b(const Value* first, unsigned number) {
    if constexpr (Together == 1) return splat<Vector>(first[number]);
    Vector words;
    __builtin_memcpy(&words, first + number / group_lanes * lanes, sizeof words);
    return splat_in_groups<group_lanes>(words, number % group_lanes);
  }

  /// Rows from there on, of several products theirs `apart` words apart.
  [[gnu::always_inline]] static u32 load_rows(const std::uint32_t* from, unsigned apart, unsigned rows) {
    if constexpr (Together > 1) return load_each<Together, u32>(from, apart, rows);
    return load<u32>(from, rows);
  }
  [[gnu::always_inline]] void store_rows(std::uint32_t* to, u32 elements, unsigned rows) const {
    if constexpr (Together > 1)
      store_each<Together>(to, elements);
    else
      store(to, elements, rows);
  }

  // The same for some of the products, and the lanes that they have.
  template <unsigned Products, class Vector>
  [[gnu::always_inline]] static Vector load_each(const std::uint32_t* from, unsigned apart, unsigned count) {
    if constexpr (Products > 1)
      return side_by_side(load_each<Products / 2, half_of<Vector>>(from, apart, count),
                          load_each<Products / 2, half_of<Vector>>(from + Products / 2 * apart, apart, count));
    else
      return load<Vector>(from, count);
  }
  template <unsigned Products, class Vector>
  [[gnu::always_inline]] void store_each(std::uint32_t* to, Vector elements) const {
    if constexpr (Products > 1) {
      store_each<Products / 2>(to, lower_lanes(elements));
      store_each<Products / 2>(to + Products / 2 * words_of_d(), upper_lanes(elements));
    } else {
      store(to, elements, lanes_of<Vector>);
    }
  }

  /// Addends that count as zero become zero.
  [[gnu::always_inline]] u32 flushed(u32 elements) const {
    const s32 magnitude = bits_as<s32>(elements) & plan_.addend.magnitude_mask;
    return magnitude < plan_.addend.smallest ? u32{} : elements;
  }

  // The shape of a product, and the words of its operands.
  [[gnu::always_inline]] unsigned rows() const { return Shape::rows != 0 ? Shape::rows : tile_.rows; }
  [[gnu::always_inline]] unsigned all_columns() const { return Shape::columns != 0 ? Shape::columns : tile_.columns; }
  [[gnu::always_inline]] unsigned words_of_row() const { return Shape::words != 0 ? Shape::words : tile_.words; }
  [[gnu::always_inline]] unsigned group_words() const { return Shape::words != 0 ? Shape::words : plan_.group_words; }
  [[gnu::always_inline]] unsigned steps_per_word() const { return Shape::words != 0 ? 1 : 32 / (plan_.a.storage_bits * elements_per_step); }
  [[gnu::always_inline]] unsigned stride() const { return Shape::rows != 0 ? Shape::rows : tile_.stride; }
  [[gnu::always_inline]] unsigned words_of_b() const { return words_of_row() * all_columns(); }
  [[gnu::always_inline]] unsigned words_of_d() const { return rows() * all_columns(); }
  /// Vectors that all words of B fill, those of several products side by side.
  [[gnu::always_inline]] unsigned b_stride() const { return (words_of_b() + group_lanes - 1) / group_lanes * lanes; }

  [[gnu::always_inline]] unsigned rows_from(unsigned row) const { return Shape::words != 0 ? lanes : rows() - row; }
  [[gnu::always_inline]] static unsigned least(unsigned x, unsigned y) { return x < y ? x : y; }

  static constexpr unsigned b_capacity = maximum_b_words * (Pairs ? 4 : 1);

  const fused_plan& plan_;
  const tile& tile_;
  step a_[maximum_elements / elements_per_step];  ///< of some rows, by step within a word, then word
  std::int32_t b_exponents_[b_capacity];          ///< by step within a word, then column, then word; of several products see decode_b()
  float b_factors_[elements_per_step][b_capacity];
};

/// The variant of the kernel for a plan.
template <std::size_t Bytes, unsigned Columns, sum_kind Kind>
fused_kernel choose_fused_of(const fused_plan& plan) {
  if (!plan.pairs) return fused_sums<Bytes, Columns, false, false, Kind>::run;
  return plan.narrow ? fused_sums<Bytes, Columns, true, true, Kind>::run : fused_sums<Bytes, Columns, true, false, Kind>::run;
}
/// Instructions that add up in binary32 are the commonest: with k = 16 and 8 of f16 and bf16, most of them of a warp.
template <std::size_t Bytes, unsigned Columns>
fused_kernel choose_fused(const fused_plan& plan) {
  constexpr sum_kind binary32 = sum_kind::binary32;
  using k16 = tile_shape<0, 0, 8>;
  using k8 = tile_shape<0, 0, 4>;
  using m16n8k16 = tile_shape<16, 8, 8>;
  using m16n8k8 = tile_shape<16, 8, 4>;
  if (plan.kind == sum_kind::wide) return choose_fused_of<Bytes, Columns, sum_kind::wide>(plan);
  if (plan.kind == sum_kind::of_32_bits) return choose_fused_of<Bytes, Columns, sum_kind::of_32_bits>(plan);
  if (!plan.pairs) return choose_fused_of<Bytes, Columns, binary32>(plan);
  return plan.narrow ? fused_sums<Bytes, Columns, true, true, binary32>::template run_by_shape<k16, k8, m16n8k16, m16n8k8>
                     : fused_sums<Bytes, Columns, true, false, binary32>::template run_by_shape<k16, k8, m16n8k16, m16n8k8>;
}

/// The variant for several products; null if there is none for the plan. It knows the shapes of steps of HMMA.884, and of half the columns
/// that one of two tensor cores has of m16n8k8.
template <std::size_t Bytes, unsigned Columns, unsigned Together>
fused_kernel choose_fused_together(const fused_plan& plan) {
  using step = tile_shape<vectors<Bytes>::lanes / Together, 4, 2>;
  using half = tile_shape<vectors<Bytes>::lanes / Together, 4, 4>;
  if (!plan.narrow || plan.kind == sum_kind::wide) return nullptr;
  return plan.kind == sum_kind::binary32
             ? fused_sums<Bytes, Columns, true, true, sum_kind::binary32, Together>::template run_by_shape<step, half>
             : fused_sums<Bytes, Columns, true, true, sum_kind::of_32_bits, Together>::template run_by_shape<step, half>;
}

}  // namespace
}  // namespace tc::numerics::simd
