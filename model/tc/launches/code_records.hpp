// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <tc/trace/kernel_header.hpp>

namespace tc::launches {

/// What the code of a kernel says about its launches, in the sections .nv.info of a listing.
struct code_records {
  struct parameter {
    std::uint32_t ordinal = 0, offset = 0, bytes = 0;
  };

  std::optional<std::uint32_t> registers;     ///< of a thread (EIATTR_REGCOUNT)
  std::optional<std::uint32_t> frame_bytes;   ///< of the kernel's own frame in local memory (EIATTR_FRAME_SIZE)
  std::optional<std::uint32_t> stack_bytes;   ///< of local memory with all that it calls (EIATTR_MIN_STACK_SIZE)
  std::optional<std::uint32_t> most_threads;  ///< of a block, the product of EIATTR_MAX_THREADS
  std::optional<trace::dim3> block;           ///< the only one that it is for (EIATTR_REQNTID)
  std::optional<trace::dim3> cluster;         ///< the same, in CTAs (EIATTR_CTA_PER_CLUSTER)
  std::vector<parameter> parameters;          ///< by offset (EIATTR_KPARAM_INFO)

  /// From the begin of the block to behind the last parameter.
  std::uint32_t parameter_bytes() const { return parameters.empty() ? 0 : parameters.back().offset + parameters.back().bytes; }
};

/// Reads the records of a kernel from a listing of nvdisasm. What is not there stays empty. Throws trace::trace_error if the listing cannot
/// be read.
code_records read_code_records(const std::filesystem::path& listing, const std::string& kernel);

}  // namespace tc::launches
