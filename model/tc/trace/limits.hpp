// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace tc::trace {

// Bounds of the numbers in a trace: what no machine exceeds. What one configuration can hold is the configuration's to check.

/// Global addresses lie below this: 57 bits (NVIDIA open-gpu-doc, Hopper MMU).
inline constexpr std::uint64_t address_limit = std::uint64_t{1} << 57;
/// `BASE+STRIDE` stands for addresses that are no farther apart than this.
inline constexpr std::int64_t max_address_stride = std::int64_t{1} << 40;
/// Offsets of shared memory lie below this: the window that generic addresses reserve for it, 16 MiB.
inline constexpr std::uint64_t shared_window_bytes = std::uint64_t{1} << 24;
/// Bytes of a constant bank (CUDA C++ Programming Guide, technical specifications: 64 KiB).
inline constexpr std::uint64_t constant_bank_bytes = std::uint64_t{1} << 16;

// CUDA C++ Programming Guide, technical specifications per compute capability.
inline constexpr std::uint64_t max_grid_x = 0x7fffffff, max_grid_yz = 65535;
inline constexpr std::uint64_t max_block_threads = 1024, max_block_z = 64;
inline constexpr std::uint64_t max_cluster_ctas = 16;

/// How large a trace may be where no machine sets a bound (docs/limits.md): more than anybody records, and little enough that no file,
/// however well it is compressed, fills the memory or is read for ever.
struct size_limits {
  std::uint64_t text_bytes = std::uint64_t{1} << 38;             ///< that a compressed text unpacks to
  std::uint64_t ranges = std::uint64_t{1} << 16;                 ///< lines of each kind: constant, memory, shared-memory
  std::uint64_t expectations = std::uint64_t{1} << 20;           ///< lines 'expect'
  std::uint64_t tensor_maps = std::uint64_t{1} << 14;            ///< lines of this kind
  std::uint64_t matrix_shapes = std::uint64_t{1} << 8;           ///< lines of this kind
  std::uint64_t digit_bytes = std::uint64_t{1} << 32;            ///< that the header gives as hexadecimal digits
  std::uint64_t expected_bytes = std::uint64_t{1} << 36;         ///< of all lines 'expect'
  std::uint64_t ctas = std::uint64_t{1} << 24;                   ///< that the trace holds; its grid may be larger
  std::uint64_t warps = std::uint64_t{1} << 26;                  ///< likewise
  std::uint64_t distinct_instructions = std::uint64_t{1} << 20;  ///< different ones, which take almost a kilobyte of memory each
  std::uint64_t instructions = std::uint64_t{1} << 36;           ///< that all warps execute
};

}  // namespace tc::trace
