// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include <tc/study/vector_file.hpp>

#include "replay_configuration.hpp"

namespace tcsim {

/// The kind of vector file that a name asks for: .bin or .dot, with or without .xz or .gz. Throws usage_error.
tc::study::vector_kind vector_kind_of(const std::filesystem::path& file);

/// What a machine's vectors say of their origin: the generation in a dot file, "tcsim_sm_90" in a fragment file.
std::string origin_of(tc::study::vector_kind kind, const tc::config::machine& machine);

/// Writes the vectors of `input` with D as the machine computes it. Throws usage_error or vector_error, and leaves no file behind then.
void record_again(tc::study::vector_reader& input, const replay_configuration& configuration, const std::filesystem::path& file);

/// Random vectors of an operation.
struct random_vectors {
  std::string operation;
  std::uint64_t cases = 100;
  std::uint64_t seed = 1;
};

/// Writes random vectors with D as the machine computes it; returns their header. Throws usage_error, and leaves no file behind then.
tc::study::vector_header record_random(const random_vectors& what, const replay_configuration& configuration,
                                       const std::filesystem::path& file);

}  // namespace tcsim
