// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <tc/study/vector_file.hpp>

#include "tensor_mma_bench.hpp"

namespace tc::engine::test {

/// The simulated vectors of tcgen05.mma: the complete set if it is there, else the subset that comes with the sources.
std::vector<std::filesystem::path> tensor_vectors();
/// A file's name as tests may have it.
std::string test_name(const std::filesystem::path& file);

/// The next cases of a file, computed by one operation: each is an output in a column of its own, and in one of twice as many rows.
class vector_batch {
 public:
  static constexpr unsigned most = 64;

  vector_batch(study::vector_reader& reader, bool a_in_tensor_memory);

  tensor_mma_bench& bench() { return bench_; }
  const isa::tensor_mma_operation& operation() const { return operation_; }
  unsigned cases() const { return static_cast<unsigned>(expected_.size()); }
  /// Outputs in the bench's D that are not the recorded ones.
  unsigned wrong() const;

 private:
  void put(const study::vector_header& header, const study::vector_case& values);

  isa::tensor_mma_operation operation_;
  tensor_mma_bench bench_;
  std::vector<std::uint32_t> expected_;
};

}  // namespace tc::engine::test
