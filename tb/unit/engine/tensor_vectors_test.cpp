// SPDX-License-Identifier: Apache-2.0
#include "tensor_vectors.hpp"

#include <gtest/gtest.h>

#include <tc/config/machine.hpp>
#include <tc/config/machine_loader.hpp>

namespace tc::engine::test::tensor_vectors_test {
namespace {

class tensor_file : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(tensor_file, IsReproduced) {
  study::vector_reader reader(GetParam());
  const config::machine machine = config::load_machine(TC_SOURCE_DIR "/configs/blackwell.json");
  tensor_multiplier multiplier(machine.sm.sub_core.tensor_core.arithmetic);
  unsigned cases = 0, wrong = 0;
  for (bool in_tensor_memory = false; cases < reader.header().cases; in_tensor_memory = !in_tensor_memory) {
    vector_batch batch(reader, in_tensor_memory);
    ASSERT_GT(batch.cases(), 0U);
    batch.bench().multiply(multiplier);
    cases += batch.cases();
    wrong += batch.wrong();
  }
  EXPECT_GT(cases, vector_batch::most) << "A has not been in both memories";
  EXPECT_EQ(wrong, 0U);
}

INSTANTIATE_TEST_SUITE_P(vectors, tensor_file, testing::ValuesIn(tensor_vectors()), [](const auto& file) { return test_name(file.param); });

}  // namespace
}  // namespace tc::engine::test::tensor_vectors_test
