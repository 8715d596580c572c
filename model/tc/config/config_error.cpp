// SPDX-License-Identifier: Apache-2.0
#include "config_error.hpp"

#include <utility>

#include <fmt/format.h>

namespace tc::config {

namespace {

std::string full_text(const std::string& source, text_position position, const std::string& path, const std::string& message) {
  std::string text = source;
  if (!text.empty() && position.line != 0) text += fmt::format(":{}:{}", position.line, position.column);
  if (!text.empty()) text += ": ";
  return text + (path.empty() ? "configuration" : path) + ": " + message;
}

}  // namespace

config_error::config_error(std::string path, std::string message) : config_error("", {}, std::move(path), std::move(message)) {}

config_error::config_error(std::string source, text_position position, std::string path, std::string message)
    : std::runtime_error(full_text(source, position, path, message)),
      source_(std::move(source)),
      position_(position),
      path_(std::move(path)),
      message_(std::move(message)) {}

}  // namespace tc::config
