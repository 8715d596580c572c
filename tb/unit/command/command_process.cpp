// SPDX-License-Identifier: Apache-2.0
#include "command_process.hpp"

#include <algorithm>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <spawn.h>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

namespace tcsim::test {

namespace fs = std::filesystem;

std::string content_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  EXPECT_TRUE(in) << file;
  return {std::istreambuf_iterator<char>(in), {}};
}

tcsim_process::tcsim_process(const std::vector<std::string>& arguments, const fs::path& where) {
  const fs::path out = outputs_.path() / "out", err = outputs_.path() / "err";
  std::vector<std::string> words{TC_COMMAND};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (auto& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);

  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addchdir_np(&actions, where.c_str());
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, out.c_str(), O_WRONLY | O_CREAT, 0600);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, err.c_str(), O_WRONLY | O_CREAT, 0600);
  const int error = posix_spawn(&process_, TC_COMMAND, &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) throw std::runtime_error("cannot start " TC_COMMAND);
}

outcome tcsim_process::wait() {
  int state = 0;
  waitpid(process_, &state, 0);
  return {WIFEXITED(state) ? WEXITSTATUS(state) : -1, content_of(outputs_.path() / "out"), content_of(outputs_.path() / "err")};
}

outcome run_tcsim(const std::vector<std::string>& arguments, const fs::path& where) { return tcsim_process(arguments, where).wait(); }

std::string command_test::file(const std::string& name, const std::string& content) const {
  fs::create_directories((folder() / name).parent_path());
  std::ofstream(folder() / name, std::ios::binary) << content;
  return name;
}

std::vector<std::string> command_test::files() const {
  std::vector<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(folder())) names.push_back(entry.path().string());
  std::sort(names.begin(), names.end());
  return names;
}

void command_test::expect_refusal(const std::vector<std::string>& arguments, const std::vector<std::string>& words) const {
  const auto before = files();
  const outcome result = tcsim(arguments);
  EXPECT_EQ(result.status, 2) << result.err;
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
  for (const auto& word : words) EXPECT_NE(result.err.find(word), std::string::npos) << '"' << word << "\" is not in: " << result.err;
  EXPECT_EQ(files(), before);
}

std::string one_warp(const std::string& arch, const std::string& header, const std::string& instructions) {
  return "tcsim-trace 1\narch " + arch + "\nkernel test\ngrid 1 1 1\nblock 32 1 1\n" + header + "cta 0 0 0\nwarp 0\n" + instructions +
         "/*fff0*/ EXIT\n";
}

}  // namespace tcsim::test
