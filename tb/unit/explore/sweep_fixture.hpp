// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fstream>
#include <string>

#include <tc/config/config_error.hpp>

#include "scratch_folder.hpp"
#include "sweep_plan.hpp"

namespace tcsim {

/// The plan of a sweep file with this text, called s.json.
inline sweep_plan plan_of(const std::string& text) {
  const scratch_folder folder;
  std::ofstream(folder.path() / "s.json") << text;
  return read_sweep(folder.path() / "s.json");
}

/// What is wrong with a sweep file, without the folder; "nothing".
inline std::string mistake_in(const std::string& text) {
  const scratch_folder folder;
  std::ofstream(folder.path() / "s.json") << text;
  try {
    read_sweep(folder.path() / "s.json");
  } catch (const tc::config::config_error& error) {
    std::string message = error.what();
    const std::string name = folder.path().string() + "/";
    for (auto at = message.find(name); at != std::string::npos; at = message.find(name)) message.erase(at, name.size());
    return message;
  }
  return "nothing";
}

}  // namespace tcsim
