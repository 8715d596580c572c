// SPDX-License-Identifier: Apache-2.0
// Configuration files, and the assignments of --set: lines `path=value` before the first line that is empty, over a built-in machine. What
// is read must read the same when it has been written.
#include <optional>
#include <vector>

#include <tc/config/machine_loader.hpp>
#include <tc/config/parameter_writer.hpp>
#include <tc/config/presets.hpp>

#include "support.hpp"

namespace tcsim::fuzz {
namespace {

using tc::config::config_error;
using tc::config::json_document;
using tc::config::machine;

/// Assignments, each a line, up to an empty line; nothing if the text begins as JSON does.
std::vector<std::string> take_assignments(std::string_view& text) {
  std::vector<std::string> assignments;
  while (!text.empty() && text[0] != '{' && text[0] != '/') {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (end != 0) assignments.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (end == 0) break;
  }
  return assignments;
}

std::optional<machine> read(std::string_view text, const std::vector<std::string>& assignments) {
  static const std::vector<json_document> blackwell = tc::config::load_preset("blackwell");
  try {
    std::vector<json_document> documents = blackwell;
    if (!text.empty()) documents.push_back(json_document::parse(text, "input"));
    return tc::config::make_machine(documents, assignments);
  } catch (const config_error& error) {
    const bool has_place = error.source() == "input" && error.position().line != 0;
    if (has_place) require_inside(text, error.position().line, error.position().column, error.what());
    return std::nullopt;
  }
}

}  // namespace
}  // namespace tcsim::fuzz

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace tcsim::fuzz;
  std::string_view text = text_of(data, size);
  const auto assignments = take_assignments(text);
  const auto made = read(text, assignments);
  if (!made) return 0;
  const std::string written = tc::config::to_text(*made);
  const auto again = tc::config::make_machine({json_document::parse(written, "written")});
  require_same(tc::config::to_text(again), written, "a configuration that was written and read");
  return 0;
}
