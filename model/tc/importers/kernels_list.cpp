// SPDX-License-Identifier: Apache-2.0
#include "kernels_list.hpp"

#include <string_view>

#include <fmt/format.h>

#include <tc/trace/text_cursor.hpp>
#include <tc/trace/trace_error.hpp>

namespace tc::importers {
namespace {

bool begins_with(std::string_view text, std::string_view begin) { return text.substr(0, begin.size()) == begin; }

}  // namespace

std::vector<listed_kernel> read_kernels_list(trace::line_reader& list, import_report& report) {
  std::vector<listed_kernel> kernels;
  std::string_view text;
  while (list.next(text)) {
    trace::text_cursor in({list.name(), list.line(), text});
    if (in.at_end()) continue;
    const std::string_view entry = in.rest();
    if (begins_with(entry, "kernel")) {
      kernels.push_back({std::string(entry), list.line()});
    } else if (begins_with(entry, "Memcpy") || begins_with(entry, "cuda")) {
      report.add_gap(fmt::format("the command {}", entry.substr(0, entry.find(','))), "nothing", list.name(), list.line());
    } else {
      in.fail_at(0, "neither the file of a kernel's trace, as kernel-1.traceg, nor a command, as MemcpyHtoD");
    }
  }
  if (kernels.empty()) throw trace::trace_error(list.name(), list.line() + 1, 1, "the list names no kernel");
  return kernels;
}

}  // namespace tc::importers
