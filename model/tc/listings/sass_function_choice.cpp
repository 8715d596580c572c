// SPDX-License-Identifier: Apache-2.0
#include "sass_function_choice.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <tc/trace/trace_error.hpp>

namespace tc::listings {
namespace {

std::vector<std::string> names_of(const std::vector<listed_function>& functions, bool entries_only) {
  std::vector<std::string> names;
  for (const listed_function& each : functions)
    if ((each.is_entry || !entries_only) && std::find(names.begin(), names.end(), each.name) == names.end()) names.push_back(each.name);
  return names;
}

}  // namespace

bool sass_function_choice::has_architecture(const listed_function& function) const {
  return arch_ && isa::find_architecture(function.target) == arch_;
}

bool sass_function_choice::prefers_last() const {
  const listed_function& last = functions_.back();
  return is_named(last) && std::none_of(functions_.begin(), functions_.end() - 1,
                                        [&](const listed_function& each) { return is_named(each) && rank(each) >= rank(last); });
}

const listed_function& sass_function_choice::chosen(const std::string& file) const {
  const auto fail = [&](std::uint64_t line, const std::string& message) { throw trace::trace_error(file, line, 1, message); };
  if (functions_.empty())
    fail(1,
         "no kernel: in front of each, a listing of nvdisasm has a line .section .text.NAME, and one of cuobjdump a line Function : NAME");
  const bool has_entries = std::any_of(functions_.begin(), functions_.end(), [](const listed_function& each) { return each.is_entry; });
  const std::vector<std::string> kernels = names_of(functions_, has_entries);
  std::vector<const listed_function*> found;
  for (const listed_function& each : functions_) {
    if (!is_named(each) || (has_entries && !each.is_entry)) continue;
    if (found.empty() || rank(each) > rank(*found.front())) found.clear();
    if (found.empty() || rank(each) == rank(*found.front())) found.push_back(&each);
  }
  if (found.empty()) {
    const bool is_function =
        std::find(kernels.begin(), kernels.end(), name_) == kernels.end() &&
        std::any_of(functions_.begin(), functions_.end(), [&](const listed_function& each) { return each.name == name_; });
    fail(1, is_function ? fmt::format("'{}' is a function that kernels call; the kernels are {}", name_, fmt::join(kernels, ", "))
                        : fmt::format("no kernel '{}'; there are {}", name_, fmt::join(kernels, ", ")));
  }
  if (name_.empty() && kernels.size() > 1)
    fail(found.front()->line, fmt::format("{} kernels; name the one to import: {}", kernels.size(), fmt::join(kernels, ", ")));
  if (found.size() > 1) {
    std::vector<std::string> targets;
    targets.reserve(found.size());
    for (const listed_function* each : found) targets.push_back(each->target);
    fail(found.front()->line,
         fmt::format("{} stands in the listing for {}; say which with --arch", found.front()->name, fmt::join(targets, ", ")));
  }
  return *found.front();
}

}  // namespace tc::listings
