// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "experiment.hpp"

namespace tc::validation {

/// Rows, columns and depth of the product that tells what a carried parameter moves.
inline constexpr unsigned size_of_carried_runs = 256;

/// Runs of each value that differ by chance, of which the median counts.
inline constexpr unsigned varied_carried_runs = 5;

/// A parameter of a configuration that was fitted to measurements of another generation.
struct carried_parameter {
  std::string machine, path;
  unsigned value = 0;
  std::string fitted_to;          ///< what its comment says of that
  std::vector<unsigned> tried{};  ///< values around it, from half of it to twice as much
  std::vector<double> changes{};  ///< of the cycles of a product, in percent, by value tried; empty: none could be run
  double spread = 0;              ///< from the least to the most of the runs with its own value, in percent
};

/// What the comments of configs/ call fitted and carried over, with the values to try.
std::vector<carried_parameter> carried_parameters(const std::filesystem::path& configurations);

/// The runs: of each parameter some for each value, the cycles of each of which are a value of the study.
study carried_study(const std::vector<carried_parameter>& parameters);

/// Takes the changes from what the study gave.
void set_changes(std::vector<carried_parameter>& parameters, const source& cycles);

}  // namespace tc::validation
