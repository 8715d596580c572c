// SPDX-License-Identifier: Apache-2.0
#include <sstream>

#include <gtest/gtest.h>

#include <tc/importers/kernels_list.hpp>
#include <tc/trace/trace_error.hpp>

namespace tc::importers::kernels_list_test {
namespace {

std::vector<listed_kernel> read(const std::string& text, import_report& report) {
  std::istringstream in(text);
  trace::line_reader lines(in, "kernelslist.g");
  return read_kernels_list(lines, report);
}

TEST(kernels_list, names_kernels_and_counts_commands) {
  import_report report;
  const auto kernels =
      read("MemcpyHtoD,0x00007efe7b500a00,262144\nkernel-1.traceg\n\nMemcpyHtoD,0x00007efe7b540a00,4\nkernel-2.traceg.xz\n", report);
  ASSERT_EQ(kernels.size(), 2U);
  EXPECT_EQ(kernels[1].file, "kernel-2.traceg.xz");
  EXPECT_EQ(kernels[1].line, 5U);
  ASSERT_EQ(report.gaps().size(), 1U);
  EXPECT_EQ(report.gaps()[0].what, "the command MemcpyHtoD");
  EXPECT_EQ(report.gaps()[0].count, 2U);
}

TEST(kernels_list, refuses_what_is_neither) {
  import_report report;
  EXPECT_THROW(read("kernel-1.traceg\nhello\n", report), trace::trace_error);
  EXPECT_THROW(read("MemcpyHtoD,0x0,4\n", report), trace::trace_error) << "no kernel";
}

}  // namespace
}  // namespace tc::importers::kernels_list_test
