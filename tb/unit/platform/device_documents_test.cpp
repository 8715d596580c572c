// SPDX-License-Identifier: Apache-2.0
#include "device_documents.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <gtest/gtest.h>

#include <tc/platform/command_layout.hpp>
#include <tc/platform/device_registers.hpp>
#include <tc/platform/tcsim_device.h>

#include "generated_block.hpp"

namespace tc::platform::test::device_documents_test {
namespace {

const std::filesystem::path root = TC_SOURCE_DIR;

TEST(device_documents, the_header_of_the_software_is_made_from_the_register_map) {
  const std::filesystem::path path = root / "model/tc/platform/tcsim_device.h";
  if (std::getenv("TCSIM_WRITE_GOLDEN") != nullptr) {
    std::ofstream(path) << c_header();
    return;
  }
  std::ifstream in(path);
  EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), c_header())
      << "after a change that is meant, run this test with TCSIM_WRITE_GOLDEN=1";
}

TEST(device_documents, the_manual_has_the_tables) {
  expect_generated(root / "docs/platform.md", "registers", register_tables());
  expect_generated(root / "docs/platform.md", "commands", command_tables());
  expect_generated(root / "docs/platform.md", "codes", code_tables());
}

/// What a slip in the map would break: one register for each word, fields that do not overlap.
TEST(device_documents, the_map_has_no_holes_and_no_overlaps) {
  std::uint32_t next = 0;
  for (const device_register* each : registers::all) {
    EXPECT_EQ(each->offset, next) << each->name;
    next = each->offset + 4;
  }
  EXPECT_EQ(next, registers::bytes);
  for (const device_register* each : registers::all) {
    std::uint32_t taken = 0;
    for (const register_field* field : fields::all) {
      if (field->of != each) continue;
      EXPECT_EQ(taken & field->mask(), 0u) << each->name << '.' << field->name;
      taken |= field->mask();
    }
  }
}

/// The header as software uses it.
TEST(device_documents, the_header_means_what_the_model_does) {
  EXPECT_EQ(TCSIM_REG_TAIL, registers::tail.offset);
  EXPECT_EQ(TCSIM_STATUS_QUEUE_ERROR, fields::queue_error.mask());
  EXPECT_EQ(sizeof(struct tcsim_gemm), layout::descriptor_bytes);
  EXPECT_EQ(offsetof(struct tcsim_convolution, output), layout::output.offset);
  EXPECT_EQ(TCSIM_RESULT_TIMEOUT, code_of(command_status::timeout));
}

}  // namespace
}  // namespace tc::platform::test::device_documents_test
