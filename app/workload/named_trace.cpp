// SPDX-License-Identifier: Apache-2.0
#include "named_trace.hpp"

#include <filesystem>
#include <iostream>

#include <fmt/format.h>

#include <tc/config/built_in_files.hpp>
#include <tc/kernels/wmma_expander.hpp>
#include <tc/trace/trace_error.hpp>

#include "data_folder.hpp"
#include "input_files.hpp"
#include "progress_bar.hpp"

namespace tcsim {

tc::trace::trace open_named_trace(const std::string& name) {
  if (name == "-") {
    tc::trace::open_options options;
    options.image_folder = ".";
    tc::trace::trace trace = tc::kernels::read_trace(std::cin, "stdin", options);
    note_images(trace.header());
    return trace;
  }
  const std::filesystem::path file = find_trace(name);
  const std::string nearest = tc::config::may_be_there(file) ? "" : nearest_trace(file);
  if (!nearest.empty())
    throw tc::trace::trace_error(name, 1, 1, fmt::format("cannot be opened: there is no such file; did you mean {}?", nearest));
  tc::trace::open_options options;
  options.progress = progress_listener("reading " + file.filename().string());
  note_input(file);
  tc::trace::trace trace = tc::kernels::open_trace(file, options);
  note_images(trace.header());
  return trace;
}

}  // namespace tcsim
