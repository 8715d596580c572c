// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <stdexcept>
#include <string>
#include <utility>

#include <tc/config/config_error.hpp>

namespace tc::links {

/// What a parameter of the configuration names: the makers of the model, and those that a program adds before it builds a machine.
template <class Maker>
class named_makers {
 public:
  /// `what` it makes, for messages; `path` of the parameter.
  named_makers(std::string what, std::string path, std::map<std::string, Maker> makers)
      : what_(std::move(what)), path_(std::move(path)), makers_(std::move(makers)) {}

  /// Throws std::invalid_argument if the name is taken.
  void add(const std::string& name, Maker maker) {
    if (!makers_.emplace(name, std::move(maker)).second) throw std::invalid_argument("there is " + what_ + " \"" + name + "\" already");
  }

  /// Throws config::config_error, which lists the known names, for any other.
  const Maker& find(const std::string& name) const {
    const auto found = makers_.find(name);
    if (found != makers_.end()) return found->second;
    std::string known;
    for (const auto& each : makers_) known += (known.empty() ? "" : ", ") + each.first;
    throw config::config_error(path_, "\"" + name + "\" is not one of " + known);
  }

 private:
  std::string what_, path_;
  std::map<std::string, Maker> makers_;
};

}  // namespace tc::links
