// SPDX-License-Identifier: Apache-2.0
#include <csignal>
#include <cstring>
#include <environment_variable.hpp>
#include <filesystem>
#include <string>
#include <sys/resource.h>

#include <gtest/gtest.h>

#include <tc/trace/spool_file.hpp>

#include "trace_text.hpp"

namespace tc::trace::test::spool_file_test {
namespace {

void append(spool_file& spool, const std::string& bytes) {
  std::uint8_t* out = spool.reserve(bytes.size());
  std::memcpy(out, bytes.data(), bytes.size());
  spool.commit(out + bytes.size());
}

std::string read(const spool_file& spool, std::uint64_t offset, std::size_t count) {
  std::string bytes(count, '\0');
  spool.read(offset, reinterpret_cast<std::uint8_t*>(bytes.data()), count);
  return bytes;
}

TEST(spool_file, reads_at_any_place_what_was_appended) {
  spool_file spool;
  const std::string big(1'000'000, 'b');
  append(spool, "begin");
  append(spool, big);
  append(spool, "end");
  EXPECT_EQ(spool.size(), big.size() + 8);
  spool.finish();
  EXPECT_EQ(read(spool, spool.size() - 3, 3), "end");
  EXPECT_EQ(read(spool, 0, 6), "beginb");
  EXPECT_THROW(read(spool, spool.size() - 1, 2), spool_error);
}

TEST(spool_file, leaves_nothing_behind_in_its_folder) {
  const scratch_folder folder;
  spool_file spool(folder.path());
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(spool_file, uses_the_folder_that_tmpdir_names) {
  const ::environment_variable folder("TMPDIR", "/nonexistent-folder");
  try {
    spool_file spool;
    ADD_FAILURE() << "made a file in a folder that does not exist";
  } catch (const spool_error& error) {
    EXPECT_NE(std::string(error.what()).find("/nonexistent-folder"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("TMPDIR"), std::string::npos) << error.what();
  }
}

TEST(spool_file, reports_a_full_disk) {
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit small = before;
  small.rlim_cur = 100'000;  // a write beyond this size fails, as on a full disk
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  try {
    spool_file spool;
    append(spool, std::string(1'000'000, 'x'));
    spool.finish();
    ADD_FAILURE() << "wrote beyond the limit";
  } catch (const spool_error& error) {
    EXPECT_NE(std::string(error.what()).find("cannot write"), std::string::npos) << error.what();
  }
  ::setrlimit(RLIMIT_FSIZE, &before);
  std::signal(SIGXFSZ, handler);
}

}  // namespace
}  // namespace tc::trace::test::spool_file_test
