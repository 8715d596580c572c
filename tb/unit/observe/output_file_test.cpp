// SPDX-License-Identifier: Apache-2.0
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <scratch_folder.hpp>
#include <stdexcept>
#include <string>
#include <sys/inotify.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include <tc/observe/output_file.hpp>

namespace tc::observe::output_file_test {
namespace {

namespace fs = std::filesystem;

std::string content(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

auto files_in(const fs::path& folder) { return std::distance(fs::directory_iterator(folder), fs::directory_iterator()); }

TEST(output_file, has_its_name_only_when_it_is_whole) {
  const scratch_folder folder;
  const fs::path path = folder.path() / "waves.vcd";
  std::ofstream(path) << "an older one";
  output_file file(path);
  std::string expected;
  for (int piece = 0; piece < 300000; ++piece) {
    const std::string text = std::to_string(piece);
    file.write(text);
    expected += text;
  }
  const std::string large(3 << 20, 'x');
  file.write(large);
  file.write("the end");
  EXPECT_EQ(content(path), "an older one");
  ASSERT_TRUE(file.close());
  EXPECT_TRUE(content(path) == expected + large + "the end");
  EXPECT_EQ(files_in(folder.path()), 1);
}

// A process that is killed between two names would leave one of them behind.
TEST(output_file, never_has_another_name_where_no_file_stands) {
  const scratch_folder folder;
  const int watched = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  ASSERT_GE(inotify_add_watch(watched, folder.path().c_str(), IN_CREATE | IN_MOVED_TO), 0);
  output_file file(folder.path() / "waves.vcd");
  file.write("text");
  ASSERT_TRUE(file.close());
  alignas(inotify_event) char events[4096];
  const ssize_t bytes = read(watched, events, sizeof events);
  ::close(watched);
  ASSERT_GT(bytes, 0);
  const auto& first = *reinterpret_cast<const inotify_event*>(events);
  EXPECT_STREQ(first.name, "waves.vcd");
  EXPECT_EQ(static_cast<std::size_t>(bytes), sizeof first + first.len) << "there is a second event";
}

TEST(output_file, may_be_read_by_whoever_the_mask_allows) {
  const scratch_folder folder;
  const mode_t before = umask(027);
  output_file file(folder.path() / "a");
  const bool closed = file.close();
  umask(before);
  ASSERT_TRUE(closed);
  struct stat status {};
  ASSERT_EQ(stat((folder.path() / "a").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0640U);
}

TEST(output_file, leaves_nothing_behind_unless_it_is_closed) {
  const scratch_folder folder;
  {
    output_file file(folder.path() / "a");
    file.write("half");
    EXPECT_FALSE(fs::exists(folder.path() / "a"));
  }
  EXPECT_EQ(files_in(folder.path()), 0);
}

TEST(output_file, goes_where_a_link_leads) {
  const scratch_folder folder;
  std::ofstream(folder.path() / "real") << "old";
  fs::create_symlink("real", folder.path() / "link");
  output_file file(folder.path() / "link");
  file.write("new");
  ASSERT_TRUE(file.close());
  EXPECT_TRUE(fs::is_symlink(folder.path() / "link"));
  EXPECT_EQ(content(folder.path() / "real"), "new");
}

TEST(output_file, says_at_once_what_cannot_be_written) {
  const scratch_folder folder;
  const auto error_of = [](const fs::path& path) -> std::string {
    try {
      const output_file file(path);
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "none";
  };
  const std::string missing = (folder.path() / "no" / "a").string();
  EXPECT_EQ(error_of(missing), missing + ": cannot write this file: No such file or directory");
  EXPECT_EQ(error_of(folder.path()), folder.path().string() + ": cannot write this file: Is a directory");
}

TEST(output_file, writes_devices_directly) {
  output_file file("/dev/null");
  file.write("gone");
  EXPECT_TRUE(file.close());
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST(output_file, keeps_the_first_failure_and_goes_on) {
  output_file file("/dev/full");
  file.write("in the buffer");
  EXPECT_FALSE(file.failed());
  const std::string large(3 << 20, 'x');
  file.write(large);
  EXPECT_TRUE(file.failed());
  file.write(large);
  file.write("ignored");
  EXPECT_FALSE(file.close());
  EXPECT_EQ(file.error(), "/dev/full: cannot write this file: No space left on device");
}

TEST(output_file, tells_when_it_is_closed_that_the_last_of_it_had_no_room) {
  output_file file("/dev/full");
  file.write("in the buffer");
  EXPECT_FALSE(file.close());
  EXPECT_TRUE(file.failed());
}

TEST(output_file, gives_the_space_back_when_there_is_not_enough) {
  const scratch_folder folder;
  output_file file(folder.path() / "a");
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  rlimit small = before;
  small.rlim_cur = 2 << 20;
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  file.write(std::string(5 << 20, 'x'));
  std::signal(SIGXFSZ, handler);
  setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_EQ(file.error(), (folder.path() / "a").string() + ": cannot write this file: File too large");
  EXPECT_EQ(files_in(folder.path()), 0);
  EXPECT_FALSE(file.close());
}

}  // namespace
}  // namespace tc::observe::output_file_test
