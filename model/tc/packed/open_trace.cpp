// SPDX-License-Identifier: Apache-2.0
// How traces are opened, packed ones and texts: members of trace::trace that need to know both forms.
#include <filesystem>
#include <istream>
#include <string>

#include <tc/packed/packed_trace.hpp>
#include <tc/trace/line_reader.hpp>
#include <tc/trace/trace.hpp>
#include <tc/trace/trace_parser.hpp>

namespace tc::trace {

trace trace::open(const std::filesystem::path& path, const open_options& options) {
  if (packed::is_packed(path)) return trace(packed::read_packed(packed::open_packed(path), path.parent_path(), options).contents);
  line_reader lines(path, options.limits.text_bytes);
  open_options found = options;
  found.image_folder = path.parent_path();
  if (options.progress) lines.tell_progress(options.progress);
  return trace(trace_parser(lines, found).run());
}

trace trace::read(std::istream& text, const std::string& name, const open_options& options) {
  const bool packed = packed::packed_file::begins_with(text.peek());
  if (packed)
    return trace(packed::read_packed(packed::copy_packed(text, name, options.spool_folder), options.image_folder, options).contents);
  text.clear();  // an empty text is not an error of the stream
  line_reader lines(text, name, options.limits.text_bytes);
  return trace(trace_parser(lines, options).run());
}

}  // namespace tc::trace
