// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

#include <tc/platform/command_layout.hpp>

namespace tc::platform {

/// A command that cannot be run: the status that software gets, and in what() for people what is wrong and what would be right.
class command_error : public std::runtime_error {
 public:
  command_error(command_status status, const std::string& text) : std::runtime_error(text), status_(status) {}

  command_status status() const { return status_; }

 private:
  command_status status_;
};

}  // namespace tc::platform
