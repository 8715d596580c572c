// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "comparison.hpp"

namespace tc::validation {

/// A run of the model that gives the values from `first` on of a source.
struct experiment {
  std::size_t first = 0, values = 1;
  std::function<std::vector<double>()> run;
};

/// A source and the runs of the model that its values come from.
class study {
 public:
  explicit study(source description) : source_(std::move(description)) {}

  /// A value that the model has nothing for.
  void add(comparison value) { source_.values.push_back(std::move(value)); }
  /// A value and the run that gives it.
  void add(comparison value, std::function<double()> run);
  /// Values that one run gives, in this order.
  void add(std::vector<comparison> values, std::function<std::vector<double>()> run);

  const source& described() const { return source_; }
  const std::vector<experiment>& experiments() const { return experiments_; }
  /// Takes the model's values of an experiment.
  void set(const experiment& of, const std::vector<double>& model);

 private:
  source source_;
  std::vector<experiment> experiments_;
};

/// Runs all experiments, each in a process of its own because SystemC elaborates once in a process, `jobs` at a time. Returns the sources
/// with the model's values. Throws std::runtime_error if an experiment fails.
std::vector<source> run(std::vector<study> studies, unsigned jobs);

}  // namespace tc::validation
