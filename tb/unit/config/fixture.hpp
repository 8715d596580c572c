// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <tc/config/parameter_loader.hpp>

#include "sample_machine.hpp"

/// A machine from the text of one file called "m.json", then assignments.
inline sample::machine machine_from(const std::string& text, const std::vector<std::string>& assignments = {}) {
  return tc::config::make_parameters<sample::machine>({tc::config::json_document::parse(text, "m.json")}, assignments);
}

/// What the config_error that `action` throws says; an empty string (and a failure) if it throws none.
template <class Action>
std::string error_of(Action&& action) {
  try {
    std::forward<Action>(action)();
  } catch (const tc::config::config_error& error) {
    return error.what();
  }
  ADD_FAILURE() << "no config_error";
  return "";
}

inline std::string file_error(const std::string& text) {
  return error_of([&] { machine_from(text); });
}

inline std::string set_error(const std::string& assignment) {
  return error_of([&] { machine_from("{}", {assignment}); });
}
