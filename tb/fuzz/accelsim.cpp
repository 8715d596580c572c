// SPDX-License-Identifier: Apache-2.0
// Traces of Accel-Sim and its lists of kernels. What is imported must be a trace.
#include <sstream>

#include <tc/importers/accelsim_importer.hpp>
#include <tc/importers/kernels_list.hpp>
#include <tc/trace/trace.hpp>
#include <tc/trace/trace_error.hpp>

#include "support.hpp"

namespace tcsim::fuzz {
namespace {

/// Gives the input to a reader; false if that refuses it.
template <class Read>
bool takes(std::string_view text, Read read) {
  std::istringstream in{std::string(text)};
  try {
    tc::trace::line_reader lines(in, "input");
    read(lines);
    return true;
  } catch (const tc::trace::trace_error& error) {
    const bool is_plain = text.empty() || (text[0] != '\xfd' && text[0] != '\x1f');
    if (is_plain) require_inside(text, error.line(), error.column(), error.what());
    return false;
  }
}

}  // namespace
}  // namespace tcsim::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tcsim::fuzz;
  const std::string_view text = text_of(data, size);
  tc::importers::import_report report;
  takes(text, [&](auto& lines) { tc::importers::read_kernels_list(lines, report); });
  std::stringstream imported;
  if (takes(text, [&](auto& lines) { tc::importers::import_accelsim(lines, imported); }))
    tc::trace::trace::read(imported, "imported").verify();
  return 0;
}
