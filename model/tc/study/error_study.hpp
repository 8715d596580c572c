// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <tc/numerics/dot_product.hpp>
#include <tc/study/error_statistics.hpp>
#include <tc/study/input_distribution.hpp>

namespace tc::study {

/// A datapath whose errors are studied.
struct studied_datapath {
  std::string name;
  numerics::dot_product unit;
  /// Elements of a row that one instruction takes; longer rows chain instructions, whose accumulator has the accumulator's format.
  unsigned instruction_k;
};

/// Elements of a row in one matrix instruction: 32 bytes, elements of fewer than 8 bits in bytes (PTX ISA, mma.sync and tcgen05.mma).
unsigned instruction_k_of(const numerics::number_format& input);

/// What is computed: dot products from C = 0.
struct error_study_settings {
  numerics::number_format input = numerics::f16;
  numerics::number_format accumulator = numerics::f32;
  std::vector<unsigned> lengths;  ///< k; every dot product is done at each of them, with the first k elements of the same rows
  input_distribution distribution = input_distribution::uniform;
  std::uint64_t dots = 1000;
  std::uint64_t seed = 1;
};

/// The errors of one way to compute dot products of one length.
struct studied_errors {
  std::string name;
  unsigned k;
  error_statistics statistics;
};

/// Names of the two ways that are studied beside the datapaths.
inline constexpr const char* fma_chain_name = "f32 FMA chain";           ///< in ascending k, the sum rounded into the accumulator's format
inline constexpr const char* rounded_once_name = "exact, rounded once";  ///< the least possible error

/// Errors against exact arithmetic: for every length, those of the datapaths in their order, then of a chain of f32 fused multiply-adds
/// and of exact sums rounded once. Datapaths must be made for the input and accumulator formats, of at most 32 bits and without block
/// scales; else throws std::invalid_argument. `progress` is told how many dot products are done.
std::vector<studied_errors> study_errors(const std::vector<studied_datapath>& datapaths, const error_study_settings& settings,
                                         const std::function<void(std::uint64_t)>& progress = {});

}  // namespace tc::study
