// SPDX-License-Identifier: Apache-2.0
#include <ostream>

#include <gtest/gtest.h>

#include "matrix_rate.hpp"

namespace tc::silicon {

std::ostream& operator<<(std::ostream& out, const matrix_rate& rate) { return out << rate.part << ' ' << rate.stream.instruction; }

namespace tensor_rate_test {
namespace {

class tensor_rate : public testing::TestWithParam<matrix_rate> {};

// Kernels that do nothing but matrix instructions reach the rates of the white papers.
TEST_P(tensor_rate, is_the_published_one) {
  const double tera = tera_operations(GetParam());
  EXPECT_NEAR(tera / GetParam().tera, 1, 0.02) << tera << " of " << GetParam().tera;
}

INSTANTIATE_TEST_SUITE_P(of, tensor_rate, testing::ValuesIn(published_rates()));

}  // namespace
}  // namespace tensor_rate_test
}  // namespace tc::silicon
