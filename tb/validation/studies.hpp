// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "experiment.hpp"

// What the report compares, generation by generation. No text holds a comma: each is a field of the CSV file.

namespace tc::validation {

std::vector<study> volta_studies();
std::vector<study> turing_studies();
std::vector<study> ampere_studies();
std::vector<study> hopper_studies();

/// Replays of vectors; none if they are not beside the project.
std::vector<study> arithmetic_studies();

/// The published rates of the parts that run with these configurations.
study rate_study(const std::string& generation, const std::vector<std::string>& machines);

}  // namespace tc::validation
