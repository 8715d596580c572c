// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <gmock/gmock.h>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <tc/config/machine_loader.hpp>
#include <tc/execution/executed_opcodes.hpp>
#include <tc/execution/module_symbols.hpp>
#include <tc/execution/program.hpp>
#include <tc/launches/launch.hpp>
#include <tc/listings/sass_listing.hpp>

namespace tc::compiled_forms_test {

// The instructions that ptxas 13.0 makes of some 5000 kernels of one instruction of PTX each: all types, roundings and suffixes of
// arithmetic, comparisons, conversions, video instructions, memory, atomics, warps and matrices. Of each form, its opcode and the kinds of
// its operands, there is one, in the listing of the first architecture that has it.

struct compiled_forms {
  const char* architecture;
  const char* machine;
};

class forms : public testing::TestWithParam<compiled_forms> {};

TEST_P(forms, are_executed) {
  const std::string folder = TC_SOURCE_DIR;
  const listings::sass_kernel kernel =
      listings::read_sass(folder + "/tb/unit/execution/forms/" + GetParam().architecture + ".sass.xz", "forms");
  const config::machine machine = config::load_machine(folder + "/configs/" + GetParam().machine + ".json");
  const warp::constant_memory constants;
  const launches::launch launch;
  const execution::module_symbols symbols(launch, kernel);
  const execution::program program(kernel, symbols, constants, machine.sm.sub_core.tensor_core.arithmetic);
  ASSERT_GT(program.operations().size(), 10U);
  std::vector<std::string> refused = program.refused();
  // Zero in the place of a sum of which a factor is out of bounds: nothing is known of the NaN that says so.
  refused.erase(
      std::remove_if(refused.begin(), refused.end(), [](const std::string& each) { return each.find(".OOB") != std::string::npos; }),
      refused.end());
  EXPECT_THAT(refused, testing::IsEmpty());
}

INSTANTIATE_TEST_SUITE_P(ptxas, forms,
                         testing::Values(compiled_forms{"sm_75", "turing"}, compiled_forms{"sm_80", "ampere"},
                                         compiled_forms{"sm_86", "ampere"}, compiled_forms{"sm_89", "ada"},
                                         compiled_forms{"sm_90", "hopper"}),
                         [](const auto& test) { return std::string(test.param.architecture); });

TEST(executed_opcodes, are_those_of_the_tables) {
  using isa::architecture;
  for (const char* mnemonic : {"IADD3", "HMMA", "ATOMS", "SHFL", "EXIT", "BSYNC", "LDGSTS", "QSPC", "R2UR", "B2R", "WARPGROUP", "HGMMA"})
    EXPECT_TRUE(execution::executes(mnemonic, architecture::sm_90)) << mnemonic;
  EXPECT_FALSE(execution::executes("HGMMA", architecture::sm_80));
  EXPECT_FALSE(execution::executes("LDGSTS", architecture::sm_75));
  for (const char* mnemonic : {"TEX", "UTMALDG", "wgmma.mma_async", "NONSENSE"})
    EXPECT_FALSE(execution::executes(mnemonic, architecture::sm_90)) << mnemonic;
}

}  // namespace tc::compiled_forms_test
