// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

#include <tc/packed/packed_contents.hpp>
#include <tc/packed/packed_file.hpp>
#include <tc/packed/packed_stream.hpp>
#include <tc/trace/trace.hpp>
#include <tc/trace/trace_contents.hpp>

namespace tc::packed {

/// A packed trace that has been opened: all but its steps and its kept lines is in memory.
struct packed_trace {
  packed_kernel kernel;
  std::vector<packed_form> forms;
  std::shared_ptr<const packed_stream> images;
  std::unique_ptr<trace::trace_contents> contents;
};

/// Whether a file holds a packed trace.
bool is_packed(const std::filesystem::path& path);
/// Opens a file for packed_file. Throws trace_error.
std::unique_ptr<packed_file> open_packed(const std::filesystem::path& path);
/// The same for a stream, which is copied to a temporary file.
std::unique_ptr<packed_file> copy_packed(std::istream& in, const std::string& name, const std::filesystem::path& spool_folder);

/// Reads what a packed trace is made of. Image files are looked up relative to `folder`, and not where `options` say. Throws trace_error.
packed_trace read_packed(std::unique_ptr<packed_file> file, const std::filesystem::path& folder, const trace::open_options& options = {});

}  // namespace tc::packed
