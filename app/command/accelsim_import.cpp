// SPDX-License-Identifier: Apache-2.0
#include "accelsim_import.hpp"

#include <exception>
#include <ostream>
#include <string>

#include <fmt/format.h>

#include <tc/importers/accelsim_importer.hpp>
#include <tc/importers/kernels_list.hpp>
#include <tc/study/compressed_file.hpp>
#include <tc/trace/confined_path.hpp>
#include <tc/trace/line_reader.hpp>
#include <tc/trace/trace_error.hpp>

#include "atomic_file.hpp"
#include "input_files.hpp"
#include "new_folder.hpp"
#include "progress_bar.hpp"

namespace tcsim {

namespace {

namespace importers = tc::importers;
namespace fs = std::filesystem;

/// Thrown where a strict import finds that something is left out, so that the file being written goes away.
struct incomplete : std::exception {};

bool is_list(const fs::path& source) { return source.extension() == ".g" || source.filename().string().rfind("kernelslist", 0) == 0; }

void import_kernel(const fs::path& source, const fs::path& output, const accelsim_import_options& options,
                   importers::import_report& report) {
  note_input(source);
  tc::trace::line_reader lines(source);
  importers::accelsim_options how;
  how.arch = options.arch;
  how.progress = progress_listener(source.filename().string());
  write_atomically(output, [&](std::ostream& file) {
    tc::study::write_compressed(file, tc::study::compression_of(output), [&](std::ostream& packed) {
      report.add(importers::import_accelsim(lines, packed, how));
      if (options.strict && !report.gaps().empty()) throw incomplete();
    });
  });
}

/// "kernel-1.trace.xz" for "kernel-1.traceg.xz".
fs::path trace_name(const fs::path& file) {
  const fs::path bare = tc::study::without_compression(file.filename());
  const std::string packing = file.filename().string().substr(bare.string().size());
  return fs::path(bare).replace_extension(".trace").string() + packing;
}

void import_list(const accelsim_import_options& options, importers::import_report& report) {
  tc::trace::line_reader lines(options.source);
  new_folder folder(options.output);
  importers::import_report commands;
  for (const importers::listed_kernel& kernel : importers::read_kernels_list(lines, commands)) {
    const auto fail = [&](const std::string& why) { throw tc::trace::trace_error(lines.name(), kernel.line, 1, kernel.file + why); };
    const fs::path source = options.source.parent_path() / kernel.file, output = folder.path() / trace_name(kernel.file);
    if (tc::trace::leaves_folder(kernel.file) || tc::trace::is_linked_outside(options.source.parent_path(), kernel.file))
      fail(": lies outside of the list's folder");
    if (!fs::is_regular_file(source)) fail(": there is no such file beside the list");
    if (fs::exists(output)) fail(": a kernel of this name is listed before");
    import_kernel(source, output, options, report);
  }
  report.add(commands);
  folder.take_name();
}

}  // namespace

accelsim_import_result import_accelsim(const accelsim_import_options& options) {
  accelsim_import_result result;
  try {
    if (is_list(options.source)) {
      import_list(options, result.report);
    } else {
      import_kernel(options.source, options.output, options, result.report);
    }
    result.written = true;
  } catch (const incomplete&) {
    result.written = false;
  }
  return result;
}

}  // namespace tcsim
