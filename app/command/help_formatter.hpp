// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace tcsim {

/// Help as CLI11 arranges it, in lines that a terminal of 80 columns shows whole. An option stands with one name; others that it has are
/// for those who know them.
class help_formatter final : public CLI::Formatter {
 public:
  help_formatter();

  std::string make_description(const CLI::App* app) const override;
  std::string make_usage(const CLI::App* app, std::string name) const override;
  std::string make_subcommand(const CLI::App* command) const override;
  std::string make_footer(const CLI::App* app) const override;
  std::string make_option(const CLI::Option* option, bool is_positional) const override;

 private:
  /// A name, and what it means behind it or, where it is a long one, below it.
  std::string row(const std::string& name, const std::string& meaning) const;
};

}  // namespace tcsim
