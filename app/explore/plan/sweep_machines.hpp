// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <boost/json.hpp>

#include <tc/config/machine.hpp>
#include <tc/config/parameter_list.hpp>
#include <tc/config/parameter_override.hpp>

#include "sweep_file.hpp"

namespace tcsim {

/// The machines of a sweep. Each base configuration is read once; the machine of a point is a copy of it with some parameters changed.
class sweep_machines {
 public:
  /// Reads the base configurations, with what the sweep file sets for all points. Throws config_error.
  explicit sweep_machines(const sweep_file& file);

  const std::string& base_name() const { return bases_.front().name; }
  std::size_t count() const { return bases_.size(); }
  const std::string& name(std::size_t base) const { return bases_[base].name; }
  /// The parameters of a base machine.
  const boost::json::value& parameters(std::size_t base) const { return bases_[base].parameters; }
  /// A base machine with changes, over which no rules have been tested. Throws config_error for what is wrong with a change itself.
  tc::config::machine make(std::size_t base, const std::vector<tc::config::parameter_override>& changes) const;
  /// Tests the rules of the machine. Throws config_error with the place of the change that breaks one, or else of `place`.
  static void check(const tc::config::machine& machine, const std::vector<tc::config::parameter_override>& changes,
                    const file_value& place);
  /// Effective configuration as JSON in one line.
  static std::string text_of(const tc::config::machine& machine);
  /// What the configuration says about its parameters.
  static std::vector<tc::config::parameter_row> parameters_of(const tc::config::machine& machine);

 private:
  struct base_machine {
    std::string name;
    tc::config::machine machine;
    boost::json::value parameters;
  };

  std::vector<base_machine> bases_;
};

}  // namespace tcsim
