// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <tc/config/json_document.hpp>
#include <tc/config/parameter_override.hpp>

#include "file_value.hpp"
#include "sweep_axis_values.hpp"
#include "sweep_plan.hpp"

namespace tcsim {

/// An axis as the sweep file has it.
struct axis_description {
  enum class target { machine, workload, base };

  std::string name;
  target of = target::machine;
  std::string path;  ///< of the parameter, without `workload.`; empty: the base configuration
  std::vector<axis_value> values;
  std::vector<std::string> workloads;  ///< that have it; empty: all
  file_value place;

  /// Keys of the parameter; not of a base configuration. Throws config_error for a malformed path.
  std::vector<std::string> keys() const;
  /// The assignment of one of its values, or of `instead`, what a relative one amounts to; not for a base configuration. Throws
  /// config_error for a malformed path.
  tc::config::parameter_override change(std::size_t value, const boost::json::value& instead) const;
};

/// A workload as the sweep file has it.
struct workload_description {
  std::string name;
  std::string kind;
  file_value parameters;
  file_value place;
};

/// A sweep file, whose form is known to be right: names are names, axes have values, zipped ones equally many, none is there twice. What
/// needs a machine, a workload or SQL is still to be checked.
class sweep_file {
 public:
  /// A file, or the built-in sweep of this name where there is none. Throws config_error.
  explicit sweep_file(const std::filesystem::path& file);
  sweep_file(const sweep_file&) = delete;
  sweep_file& operator=(const sweep_file&) = delete;

  const std::string& text() const { return text_; }
  /// That relative names of files are taken from.
  const std::filesystem::path& folder() const { return folder_; }
  file_value root() const { return file_value(document_); }

  std::string name;
  std::string description;
  std::optional<file_value> base;  ///< null: an axis has the bases
  std::vector<tc::config::parameter_override> assignments;
  std::vector<workload_description> workloads;
  std::vector<axis_description> axes;
  std::vector<std::vector<std::size_t>> dimensions;  ///< indices of axes that move together
  std::vector<file_value> constraints;
  std::optional<file_value> metrics;
  std::optional<file_value> pareto;
  statistics_detail statistics = statistics_detail::summary;
  bool fixed_code = false;  ///< code made for the base configuration runs on all machines
  unsigned repeat = 1;      ///< runs of each point that chance varies; 1: none, only the plain one

 private:
  struct source {
    std::string text;
    std::filesystem::path name;  ///< for messages; its stem is the sweep's name unless the text gives one
    std::filesystem::path folder;
  };

  static source source_of(const std::filesystem::path& file);
  explicit sweep_file(source from);

  void read_head();
  void read_assignments();
  void read_workloads();
  void read_axes();
  void add_axis(const file_value& axis);
  void check_axes() const;
  void check_axis(std::size_t index) const;

  std::filesystem::path folder_;
  std::string text_;
  tc::config::json_document document_;
};

}  // namespace tcsim
