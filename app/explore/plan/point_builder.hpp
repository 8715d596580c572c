// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <boost/json.hpp>

#include <tc/config/machine.hpp>
#include <tc/config/parameter_override.hpp>

#include "sweep_file.hpp"
#include "sweep_machines.hpp"
#include "sweep_space.hpp"
#include "workload.hpp"

namespace tcsim {

/// Makes the machines and workloads of the points of a sweep.
class point_builder {
 public:
  /// Reads base configurations and workloads. Throws config_error, also for an axis whose parameter a workload does not have.
  explicit point_builder(const sweep_file& file);

  const sweep_machines& machines() const { return machines_; }
  /// The base configuration of a point, by index.
  std::size_t base_of(const axis_choice& choice) const;
  /// Values of the axes, relative ones as what they amount to; null for an axis that is not there. Throws config_error for a relative value
  /// of what is no number, or that is no whole number and has to be.
  std::vector<boost::json::value> values_of(const chosen_point& point) const;
  /// The parameters of the first workload that an axis concerns.
  std::vector<tc::config::parameter_row> parameters_of(const axis_description& axis) const;
  /// The machine, over which no rules have been tested. Throws config_error for what is wrong with one value.
  tc::config::machine machine_of(const axis_choice& choice) const;
  /// Tests the rules of the machine of a point. Throws config_error, naming the values of the point.
  void check(const tc::config::machine& machine, const axis_choice& choice) const;
  /// Throws config_error for what is wrong with one value.
  std::unique_ptr<workload> workload_of(const chosen_point& point) const;
  /// Whether a machine can do the workload of a point. Throws config_error, naming the values of the point.
  void check(const workload& workload, const tc::config::machine& machine, const chosen_point& point) const;
  /// Code of the files of a workload. Throws config_error.
  std::string content_code_of(const workload& workload, std::size_t index) const;

  /// The values of the axes that the machine depends on, or the workload.
  axis_choice machine_choice(const axis_choice& choice) const;
  axis_choice workload_choice(const axis_choice& choice) const;

 private:
  void check_parameters(const axis_description& axis) const;
  void check_distinct(const axis_description& axis) const;
  void check_distinct(const axis_description& axis, const boost::json::value& parameters, const std::string& of) const;
  boost::json::value value_of(std::size_t axis, const chosen_point& point) const;
  std::vector<tc::config::parameter_override> changes_of(const chosen_point& point, axis_description::target of) const;
  axis_choice only(const axis_choice& choice, bool of_workload) const;
  std::string at(const chosen_point& point) const;

  const sweep_file& file_;
  sweep_machines machines_;
  std::vector<std::unique_ptr<workload>> workloads_;
  std::vector<boost::json::value> parameters_;  ///< of the workloads
};

/// Throws config_error for an axis that changes nothing: with the other axes at their first values, all its values give the same
/// configuration and workloads; or its only value gives the same as the sweep without the axis.
void check_axis_effects(const sweep_file& file, const point_builder& builder);

}  // namespace tcsim
