// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <boost/json.hpp>

#include <tc/config/machine_loader.hpp>
#include <tc/config/presets.hpp>

#include "command/command_process.hpp"
#include "workload.hpp"

namespace tcsim::test {

/// A workload from the text of its parameters, which stand in "sweep.json".
inline std::unique_ptr<workload> workload_from(std::string_view kind, const std::string& text, const std::filesystem::path& folder = "/") {
  return make_workload(kind, tc::config::json_document::parse(text, "sweep.json"), folder);
}

/// A built-in machine with changes.
inline tc::config::machine machine_with(std::string_view preset, const std::vector<std::string>& assignments = {}) {
  return tc::config::make_machine(tc::config::load_preset(preset), assignments);
}

/// What the exception says that an action throws; empty (and a failure) if it throws none.
template <class Action>
std::string refusal_of(Action&& action) {
  try {
    action();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  ADD_FAILURE() << "nothing was thrown";
  return "";
}

/// What check() says of a workload that a machine cannot do.
inline std::string refusal_of(const workload& work, const tc::config::machine& machine) {
  return refusal_of([&] { work.check(machine); });
}

/// A kind's parameters, given as text, must come back as they are, with names of files made absolute.
inline void expect_read_back(const workload& work) {
  const boost::json::object all = work.parameters();
  const auto again = workload_from(work.kind(), boost::json::serialize(all), "/elsewhere");
  EXPECT_EQ(again->parameters(), all);
  EXPECT_EQ(again->arguments(), work.arguments());
}

/// Runs by hand what a workload does.
inline outcome run_by_hand(const workload& work, std::string_view preset, const std::filesystem::path& folder,
                           const std::vector<std::string>& more = {}) {
  std::vector<std::string> words = work.arguments();
  words.insert(words.end(), {"--config", std::string(preset)});
  words.insert(words.end(), more.begin(), more.end());
  return run_tcsim(words, folder);
}

}  // namespace tcsim::test
