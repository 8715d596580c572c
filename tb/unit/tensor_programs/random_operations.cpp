// SPDX-License-Identifier: Apache-2.0
#include "random_operations.hpp"

#include <algorithm>

namespace tc::tensor_programs {

namespace {

constexpr unsigned most_registers = 64;

/// A column where `count` of them fit, more often than not a multiple of 8 from the first one on: so instructions meet.
unsigned random_column(random_numbers& random, const column_region& region, unsigned count) {
  const unsigned offset = random.below(region.count - count + 1);
  return region.first + (random.chance(75) ? offset / 8 * 8 : offset);
}

}  // namespace

warp_access random_access(random_numbers& random, const column_region& region, unsigned warp, bool is_load) {
  constexpr std::array shapes{access_shape::of_32x32b, access_shape::of_16x64b, access_shape::of_16x128b, access_shape::of_16x256b,
                              access_shape::of_16x32bx2};
  warp_access access;
  access.is_load = is_load;
  access.shape = random.pick(shapes);
  access.is_packed = random.chance(20);
  access.repeat = 1U << random.below(7);
  const bool has_halves = access.shape == access_shape::of_16x32bx2;
  while (access.registers() > most_registers || access.width() * (has_halves ? 2 : 1) > region.count) {
    access.is_packed = access.is_packed && access.repeat > 1;
    access.repeat = std::max(access.repeat / 2, 1U);
  }
  const unsigned width = access.width();
  if (has_halves) access.half_offset = random.between(is_load ? 0 : width, region.count - width);
  access.first = {chunk_lanes * warp, random_column(random, region, access.half_offset + width)};
  if (access.shape != access_shape::of_32x32b && random.chance(50)) access.first.lane += chunk_lanes / 2;
  return access;
}

tile_copy random_scale_copy(random_numbers& random, unsigned column) {
  tile_copy copy;
  copy.form = tile_copy::shape::of_32x128b;
  copy.first.column = column;
  copy.source = random_tile(random, {copy.rows(), copy.width() * 4, 1, true}, scale_window);
  return copy;
}

tile_copy random_copy(random_numbers& random, const column_region& region) {
  using shape = tile_copy::shape;
  constexpr std::array shapes{shape::of_128x256b,      shape::of_128x128b,      shape::of_4x256b, shape::of_4x256b,
                              shape::of_64x128b_02_13, shape::of_64x128b_01_23, shape::of_32x128b};
  constexpr std::array formats{tile_copy::format::from_4_bits, tile_copy::format::from_6_bits};
  if (region.specials && random.chance(25))
    return random_scale_copy(random, region.specials->first_scale() + random.below(special_columns::scales - scale_copy_columns + 1));
  tile_copy copy;
  copy.form = random.pick(shapes);
  if (random.chance(25)) copy.source_format = random.pick(formats);
  copy.first.column = random_column(random, region, copy.width());
  if (copy.form == shape::of_4x256b) copy.first.lane = random.chance(60) ? chunk_lanes - 1 : random.below(chunk_lanes);
  copy.source = random_tile(random, {copy.rows(), copy.width() * 4, 1, true}, tile_window);
  return copy;
}

namespace {

using numerics::number_format;

/// Makes up one instruction, step by step.
class matrix_writer {
 public:
  matrix_writer(random_numbers& random, const column_region& region, const std::optional<matrix_instruction>& last)
      : random_(random), region_(region), last_(last) {}

  matrix_instruction make() {
    if (last_ && (region_.specials || (!is_scaled(last_->kind) && !last_->is_sparse)) && random_.chance(50)) {
      go_on();
    } else {
      choose_kind();
      choose_shape();
      choose_formats();
      mma_.d.column = random_column(random_, region_, mma_.width_of_d());
      if (mma_.m == 64 && !mma_.is_stationary && random_.chance(50)) mma_.d.lane = chunk_lanes / 2;
    }
    mma_.reads_d = random_.chance(75);
    choose_flags();
    place_a();
    place_b();
    if (region_.specials) place_specials(*region_.specials);
    return mma_;
  }

 private:
  void go_on() {
    mma_.kind = last_->kind;
    mma_.is_stationary = last_->is_stationary;
    mma_.is_sparse = last_->is_sparse;
    mma_.m = last_->m;
    mma_.n = last_->n;
    mma_.d = last_->d;
    choose_formats();
    mma_.d_format = last_->d_format;
    if (mma_.kind == matrix_kind::f16) mma_.a_format = mma_.b_format = last_->a_format;
  }

  void choose_kind() {
    constexpr std::array plain{matrix_kind::f16,  matrix_kind::f16,    matrix_kind::f16,
                               matrix_kind::tf32, matrix_kind::f8f6f4, matrix_kind::i8};
    constexpr std::array scaled{matrix_kind::mxf8f6f4, matrix_kind::mxf4, matrix_kind::mxf4nvf4};
    mma_.kind = region_.specials && random_.chance(35) ? random_.pick(scaled) : random_.pick(plain);
    mma_.is_stationary = !is_scaled(mma_.kind) && random_.chance(15);
    mma_.is_sparse = region_.specials.has_value() && random_.chance(20);
  }

  /// Sums and, beside them, a step of A fit the region.
  void choose_shape() {
    constexpr std::array<unsigned, 3> stationary_rows{32, 64, 128};
    constexpr std::array<unsigned, 5> widths{8, 16, 16, 24, 32};
    const unsigned room = region_.count - shift_columns;
    if (mma_.is_stationary) {
      mma_.n = 64;
      do mma_.m = mma_.is_sparse ? lanes : random_.pick(stationary_rows);
      while (!mma_.is_sparse && mma_.width_of_d() > room);
      if (mma_.width_of_d() <= room) return;
      mma_.is_stationary = false;
    }
    mma_.m = !is_scaled(mma_.kind) && !mma_.is_sparse && random_.chance(25) ? 64 : 128;
    do mma_.n = random_.chance(5) ? 64 : random_.pick(widths);
    while (mma_.n > room);
  }

  void choose_formats() {
    using namespace numerics;
    static const std::array small{e4m3, e5m2, e2m3, e3m2, e2m1};
    static const std::array integers{u8, s8}, halves{f16, bf16};
    switch (mma_.kind) {
      case matrix_kind::f16:
        mma_.a_format = mma_.b_format = random_.pick(halves);
        break;
      case matrix_kind::tf32:
        mma_.a_format = mma_.b_format = tf32;
        break;
      case matrix_kind::i8:
        mma_.a_format = random_.pick(integers);
        mma_.b_format = random_.pick(integers);
        break;
      case matrix_kind::f8f6f4:
      case matrix_kind::mxf8f6f4:
        mma_.a_format = random_.pick(small);
        mma_.b_format = random_.pick(small);
        break;
      case matrix_kind::mxf4:
      case matrix_kind::mxf4nvf4:
        mma_.a_format = mma_.b_format = e2m1;
        break;
    }
    const bool has_half_sums = mma_.kind == matrix_kind::f8f6f4 || mma_.a_format == f16;
    mma_.d_format = mma_.kind == matrix_kind::i8 ? s32 : has_half_sums && random_.chance(30) ? f16 : f32;
  }

  void choose_flags() {
    const bool is_integer = mma_.kind == matrix_kind::i8, is_plain = !is_scaled(mma_.kind) && !mma_.is_stationary;
    mma_.saturates = is_integer && random_.chance(50);
    mma_.negates_a = !is_integer && random_.chance(25);
    mma_.negates_b = !is_integer && random_.chance(25);
    if (is_plain && random_.chance(25)) mma_.disabled_lanes = {random_.word(), random_.word() & random_.word(), 0, random_.word()};
    if (is_plain && (mma_.kind == matrix_kind::f16 || mma_.kind == matrix_kind::tf32) && random_.chance(25))
      mma_.scale_input_d = random_.between(1, 15);
    if (mma_.is_stationary && random_.chance(50)) choose_column_mask();
  }

  void choose_column_mask() {
    column_mask mask;
    mask.is_there = random_.chance(80);
    for (unsigned part = 0; part < 4; ++part) {
      mask.start_counts.at(part) = random_.below(256);
      mask.begins_with_one.at(part) = random_.chance(50);
    }
    mask.skip_span = random_.below(8);
    mask.use_span = random_.below(8);
    mask.shift = random_.below(17);
    mma_.zero_columns = mask;
  }

  void place_a() {
    const bool can_be_there = !mma_.is_stationary || mma_.m == lanes;
    if (can_be_there && random_.chance(60)) {
      cell a{mma_.d.lane, 0};
      for (unsigned attempt = 0; attempt < 50 && !mma_.tensor_a; ++attempt) {
        a.column = random_column(random_, region_, shift_columns);
        if (a.column + shift_columns <= mma_.d.column || a.column >= mma_.d.column + mma_.width_of_d()) mma_.tensor_a = a;
      }
    }
    if (mma_.tensor_a) {
      mma_.shifts_a = mma_.m == lanes && !is_scaled(mma_.kind) && !mma_.is_stationary && random_.chance(25);
    } else {
      mma_.a = tile(mma_.m, mma_.stored_k(), may_be_transposed() && random_.chance(30));
    }
    if (!random_.chance(20)) return;
    constexpr std::array<const char*, 2> uses{"discard", "fill"};
    const std::string use = random_.pick(uses);
    mma_.collector = mma_.is_stationary ? ".collector::b" + std::to_string(random_.below(4)) + "::" + use
                                        : ".collector::a::" + (mma_.shifts_a ? "lastuse" : use);
  }

  void place_b() {
    const bool has_whole_units = element_bits(mma_.kind) != 8 || mma_.n % 16 == 0;
    constexpr unsigned unit = 16;
    const unsigned all = (mma_.first_column_of_b() + mma_.n + unit - 1) / unit * unit;
    mma_.b = tile(all, mma_.k(), may_be_transposed() && has_whole_units && random_.chance(30));
  }

  bool may_be_transposed() const { return !is_of_nibbles(mma_.kind); }

  /// Of elements, or of pairs of those of 4 bits.
  shared_tile tile(unsigned rows, unsigned k, bool is_transposed) {
    const unsigned bytes = std::max(element_bits(mma_.kind), 8U) / 8, elements = k * element_bits(mma_.kind) / (8 * bytes);
    return random_tile(random_, {rows, elements, bytes, !is_transposed}, tile_window, is_transposed && mma_.kind == matrix_kind::tf32);
  }

  void place_specials(const special_columns& specials) {
    if (mma_.is_sparse) {
      const bool is_of_two = mma_.kind == matrix_kind::tf32;
      const unsigned first = is_of_two ? specials.first_code_of_two() : specials.first_code_of_four();
      mma_.metadata = first + random_.below(special_columns::codes_of_two - mma_.width_of_metadata() + 1);
    }
    if (!is_scaled(mma_.kind)) return;
    mma_.scales = mma_.kind == matrix_kind::mxf8f6f4 ? 1 : mma_.kind == matrix_kind::mxf4 || random_.chance(50) ? 2 : 4;
    mma_.has_float_scales = mma_.scales == 4 && random_.chance(50);
    mma_.scale_a_id = random_.below(4 / mma_.scales) * mma_.scales;
    mma_.scale_b_id = random_.below(4 / mma_.scales) * mma_.scales;
    mma_.scale_a = specials.first_scale() + random_.below(special_columns::scales - 3);
    mma_.scale_b = specials.first_scale() + random_.below(special_columns::scales - 1);
  }

  random_numbers& random_;
  const column_region& region_;
  const std::optional<matrix_instruction>& last_;
  matrix_instruction mma_;
};

}  // namespace

matrix_instruction random_matrix_instruction(random_numbers& random, const column_region& region,
                                             const std::optional<matrix_instruction>& last) {
  return matrix_writer(random, region, last).make();
}

}  // namespace tc::tensor_programs
