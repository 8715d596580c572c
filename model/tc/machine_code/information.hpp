// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include <tc/machine_code/elf_file.hpp>

namespace tc::machine_code {

/// Sections of attributes have this name, and behind a point that of a kernel.
inline constexpr std::string_view information_name = ".nv.info";

/// The attributes that are read; others are passed over.
enum class information_kind : std::uint8_t { registers, frame, stack, most_threads, block, cluster, parameter_bank, parameter };

/// One attribute of a kernel.
struct information {
  information_kind kind = information_kind::registers;
  std::uint64_t offset = 0;                ///< of the file
  std::optional<std::uint32_t> symbol;     ///< of the kernel, if the attribute names it
  std::uint32_t value = 0;                 ///< of a parameter: its offset; of the parameter bank: offset and, above it, size
  std::array<std::uint32_t, 3> extents{};  ///< of threads, of a block and of a cluster
  std::uint32_t ordinal = 0, bytes = 0;    ///< of a parameter
};

/// Whether a cubin of CUDA 13 or later uses instructions of this architecture alone: it is for sm_90a, not for sm_90.
bool is_accelerated(const elf_file& file);

/// The attributes of a section. Throws code_error if one goes beyond its end.
std::vector<information> read_information(const elf_file& file, const elf_section& section);

}  // namespace tc::machine_code
