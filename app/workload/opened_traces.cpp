// SPDX-License-Identifier: Apache-2.0
#include "opened_traces.hpp"

#include <algorithm>
#include <list>
#include <system_error>

#include <tc/kernels/wmma_expander.hpp>

namespace tcsim {

namespace {

namespace fs = std::filesystem;
using shared_trace = std::shared_ptr<const tc::trace::trace>;

/// What tells whether a file has changed.
struct file_state {
  fs::file_time_type time{};
  std::uintmax_t bytes = 0;

  bool operator==(const file_state& other) const { return time == other.time && bytes == other.bytes; }
};

file_state state_of(const fs::path& file) {
  std::error_code unreadable;  // which opening tells better
  return {fs::last_write_time(file, unreadable), fs::file_size(file, unreadable)};
}

struct opened_trace {
  fs::path file;
  file_state state;
  shared_trace trace;
};

/// Each holds a temporary file open.
constexpr std::size_t most_traces = 16;

/// The last ones, the most recently used first.
std::list<opened_trace>& opened_traces() {
  static std::list<opened_trace> traces;
  return traces;
}

}  // namespace

shared_trace open_shared_trace(const fs::path& file) {
  auto& traces = opened_traces();
  const file_state state = state_of(file);
  const auto found = std::find_if(traces.begin(), traces.end(), [&](const opened_trace& each) { return each.file == file; });
  if (found != traces.end() && found->state == state) {
    traces.splice(traces.begin(), traces, found);
    return found->trace;
  }
  if (found != traces.end()) traces.erase(found);
  traces.push_front({file, state, std::make_shared<const tc::trace::trace>(tc::kernels::open_trace(file))});
  if (traces.size() > most_traces) traces.pop_back();
  return traces.front().trace;
}

std::vector<fs::path> image_files(const tc::trace::kernel_header& header) {
  std::vector<fs::path> files;
  const auto add = [&files](const auto& images) {
    for (const auto& image : images)
      if (const fs::path* const file = image.content.file_path()) files.push_back(*file);
  };
  add(header.constants);
  add(header.memory);
  add(header.shared_memory);
  add(header.expectations);
  return files;
}

}  // namespace tcsim
