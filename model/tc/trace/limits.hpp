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

}  // namespace tc::trace
