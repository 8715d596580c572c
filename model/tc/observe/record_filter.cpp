// SPDX-License-Identifier: Apache-2.0
#include "record_filter.hpp"

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace tc::observe {

namespace {

using names = std::vector<std::string_view>;

names names_of(std::string_view path) {
  names parts;
  while (!path.empty()) {
    const std::size_t dot = std::min(path.find('.'), path.size());
    parts.push_back(path.substr(0, dot));
    path.remove_prefix(std::min(dot + 1, path.size()));
  }
  if (!parts.empty() && parts.front() == "gpu") parts.erase(parts.begin());
  return parts;
}

std::string_view without_underscores(std::string_view text) {
  while (!text.empty() && text.front() == '_') text.remove_prefix(1);
  return text;
}

bool same_name(std::string_view one, std::string_view other) {
  for (;;) {
    one = without_underscores(one);
    other = without_underscores(other);
    if (one.empty() || other.empty()) return one.empty() && other.empty();
    if (one.front() != other.front()) return false;
    one.remove_prefix(1);
    other.remove_prefix(1);
  }
}

/// How many names they have in common, from the front on.
std::size_t common(const names& scope, const names& place) {
  const auto ends = std::mismatch(scope.begin(), scope.end(), place.begin(), place.end(), same_name);
  return static_cast<std::size_t>(ends.first - scope.begin());
}

std::string place_of(const fabric::record_stream& stream) { return stream.path() + '.' + std::string(stream.type().name); }

/// The scopes that begin like the one that was asked for: those one name deeper than that, then those two names deeper.
std::vector<std::string> near(const std::deque<fabric::record_stream>& streams, const names& scope) {
  std::size_t known = 0;
  for (const fabric::record_stream& stream : streams) known = std::max(known, common(scope, names_of(stream.path())));
  std::vector<std::string> found;
  for (const std::size_t depth : {known + 1, known + 2}) {
    for (const fabric::record_stream& stream : streams) {
      const names place = names_of(stream.path());
      if (common(scope, place) < known || place.size() < depth) continue;
      std::string name = fmt::format("{}", fmt::join(place.begin(), place.begin() + static_cast<std::ptrdiff_t>(depth), "."));
      if (std::find(found.begin(), found.end(), name) == found.end()) found.push_back(std::move(name));
    }
  }
  return found;
}

[[noreturn]] void fail(const std::deque<fabric::record_stream>& streams, const std::string& scope) {
  constexpr std::size_t shown = 20;
  std::vector<std::string> choice = near(streams, names_of(scope));
  if (choice.size() > shown) {
    choice.resize(shown);
    choice.emplace_back("...");
  }
  if (choice.empty()) throw std::invalid_argument(fmt::format("scope \"{}\": nothing there is recorded", scope));
  throw std::invalid_argument(
      fmt::format("scope \"{}\": nothing there is recorded; there is, for example: {}", scope, fmt::join(choice, ", ")));
}

}  // namespace

bool in_scope(std::string_view scope, std::string_view path) {
  const names wanted = names_of(scope);
  return common(wanted, names_of(path)) == wanted.size();
}

std::vector<bool> streams_in_scopes(const std::deque<fabric::record_stream>& streams, const std::vector<std::string>& scopes) {
  std::vector<bool> chosen(streams.size(), scopes.empty());
  for (const std::string& scope : scopes) {
    bool any = false;
    for (const fabric::record_stream& stream : streams) {
      if (!in_scope(scope, place_of(stream))) continue;
      chosen[stream.number()] = true;
      any = true;
    }
    if (!any) fail(streams, scope);
  }
  return chosen;
}

record_filter::record_filter(const fabric::recorder& recorder, const std::vector<std::string>& scopes)
    : chosen_(streams_in_scopes(recorder.streams(), scopes)) {}

}  // namespace tc::observe
