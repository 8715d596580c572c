// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include <gtest/gtest.h>

#include <tc/engine/tensor/tensor_hazards.hpp>

namespace tensor_hazards_test {

using namespace tc;
using engine::tensor_hazards;
using kind = tensor_hazards::kind;

namespace {

constexpr isa::column_range a_columns{128, 8}, other_columns{136, 8}, sums{0, 16};

/// Instructions of one warp, unless another is named, of which nobody waits for any.
class hazards : public testing::Test {
 protected:
  /// The cells that an instruction must not touch yet, as text; empty if there are none.
  std::string after(kind what, isa::column_range columns = a_columns, const warp::warp_context* warp = nullptr, unsigned k = 16) {
    tensor_hazards::access access;
    access.origin.warp = warp;
    access.cta_slot = cta_slot;
    access.what = what;
    const isa::tensor_cells cells = isa::all_lanes(columns);
    if (what == kind::mma) {
      access.reads = {cells, isa::all_lanes(sums)};
      access.writes = {isa::all_lanes(sums)};
      access.k = k;
    } else {
      access.writes = {cells};
      if (what == kind::shift) access.reads = {cells};
    }
    const auto found = list_.begin(++number_, access);
    return found ? engine::text_of(found->cells) : "";
  }

  /// The CTA whose cells they are ends; the warp may be one of another SM.
  void end_cta() { list_.forget(cta_slot); }

 private:
  static constexpr std::uint32_t cta_slot = 3;

  tensor_hazards list_;
  std::uint64_t number_ = 0;
};

}  // namespace

TEST_F(hazards, copies_to_columns_that_are_multiplied) {
  EXPECT_EQ(after(kind::copy), "");
  EXPECT_EQ(after(kind::mma), "");
  EXPECT_EQ(after(kind::copy, other_columns), "");
  EXPECT_EQ(after(kind::copy), "columns 128 to 135 of lanes 0 to 127");
}

TEST_F(hazards, none_when_the_cta_has_ended) {
  EXPECT_EQ(after(kind::copy), "");
  end_cta();
  EXPECT_EQ(after(kind::copy), "");
}

TEST_F(hazards, products_of_another_shape_on_the_same_sums) {
  EXPECT_EQ(after(kind::mma), "");
  EXPECT_EQ(after(kind::mma), "");
  EXPECT_EQ(after(kind::mma, a_columns, nullptr, 32), "columns 0 to 15 of lanes 0 to 127");
}

TEST_F(hazards, shifts_of_what_is_copied_or_shifted) {
  EXPECT_EQ(after(kind::copy), "");
  EXPECT_NE(after(kind::shift), "");
  EXPECT_NE(after(kind::shift), "");
}

// A convolution's steps: copy, product, then shift, refill and product for each further tap. Each pair is pipelined, so that everything is
// in order, the copy and the shift with the product between them too.
TEST_F(hazards, none_along_a_chain_of_pipelined_pairs) {
  EXPECT_EQ(after(kind::copy), "");
  EXPECT_EQ(after(kind::mma), "");
  for (unsigned step = 1; step < 4; ++step) {
    EXPECT_EQ(after(kind::shift), "") << step;
    EXPECT_EQ(after(kind::copy_4x256b), "") << step;
    EXPECT_EQ(after(kind::mma), "") << step;
  }
  EXPECT_NE(after(kind::copy_4x256b), "") << "no shift lies between it and the product";
}

TEST_F(hazards, that_another_warp_does_not_settle_with_an_instruction_in_between) {
  const warp::warp_context other{};
  EXPECT_EQ(after(kind::copy), "");
  EXPECT_EQ(after(kind::mma, other_columns, &other), "");
  EXPECT_NE(after(kind::shift), "");
}

}  // namespace tensor_hazards_test
