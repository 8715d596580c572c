// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <optional>
#include <string>

/// Gives a variable of the environment a value, which processes that are started inherit; at the end it is what it was. A process may run
/// several tests.
class environment_variable {
 public:
  environment_variable(const char* name, const std::string& value) : name_(name) {
    if (const char* const before = std::getenv(name)) before_ = before;
    ::setenv(name, value.c_str(), 1);
  }
  ~environment_variable() { before_ ? ::setenv(name_, before_->c_str(), 1) : ::unsetenv(name_); }
  environment_variable(const environment_variable&) = delete;
  environment_variable& operator=(const environment_variable&) = delete;

 private:
  const char* name_;
  std::optional<std::string> before_;
};
