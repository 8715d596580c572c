// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <tc/study/probe_integers.hpp>

namespace tc::study::probe_integers_test {

namespace {

using namespace numerics;

integer_findings probe_model(const number_format& format, dot_product_operation operation) {
  return probe_integers(modelled_unit(dot_product({format, format, s32, operation})), 64);
}

/// Exact but for one bit that it loses in long sums.
class careless_unit final : public unit_under_test {
 public:
  const dot_product_types& types() const override { return unit_.types(); }
  std::uint64_t operator()(const dot_inputs& inputs) const override { return unit_(inputs) & ~std::uint64_t{inputs.a.size() > 60}; }

 private:
  modelled_unit unit_{dot_product({s8, s8, s32, dot_product_operation::integer_wrap})};
};

}  // namespace

TEST(probe_integers, tells_wrapping_from_saturating) {
  for (const number_format& format : {s8, u8, s4, u4}) {
    const auto wrapped = probe_model(format, dot_product_operation::integer_wrap),
               clamped = probe_model(format, dot_product_operation::integer_saturate);
    EXPECT_TRUE(wrapped.explained() && clamped.explained());
    EXPECT_EQ(wrapped.overflow, "wraps modulo 2^32");
    EXPECT_EQ(clamped.overflow, "saturates");
    EXPECT_EQ(wrapped.product, "a x b");
  }
}

TEST(probe_integers, tells_operations_on_bits_apart) {
  EXPECT_EQ(probe_model(b1, dot_product_operation::binary_xor).product, "a xor b");
  EXPECT_EQ(probe_model(b1, dot_product_operation::binary_and).product, "a and b");
}

TEST(probe_integers, does_not_explain_a_lost_bit) {
  const auto findings = probe_integers(careless_unit(), 64);
  EXPECT_FALSE(findings.explained());
  EXPECT_TRUE(findings.unexplained.has_value());
}

}  // namespace tc::study::probe_integers_test
