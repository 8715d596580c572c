// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tc::isa {

/// Instruction-set architectures a trace may name, in the order they appeared. Each has a row in architecture.cpp.
enum class architecture : std::uint8_t { sm_70, sm_75, sm_80, sm_86, sm_89, sm_90, sm_100, sm_120 };

inline constexpr architecture newest_architecture = architecture::sm_120;
inline constexpr std::size_t architecture_count = static_cast<std::size_t>(newest_architecture) + 1;

/// How the disassembler writes the address of a global access.
enum class global_reference : std::uint8_t {
  pointer,       ///< [R2]
  wide_pointer,  ///< [R2.64]
  descriptor,    ///< desc[UR4][R2.64]; the uniform registers hold a descriptor of global memory
};

/// What compiled code and the system do in their own way on an architecture. What instructions an architecture has is in their tables
/// (opcode_info, matrix_shape, ptx_shapes), and how fast it is in the configuration of a machine. From listings of CUDA 13.0's compiler,
/// sm_70 from Jia et al., arXiv 1804.06826.
struct architecture_info {
  architecture arch = architecture::sm_70;
  std::string_view name;                    ///< "sm_75"
  std::string_view generation;              ///< "turing"; architectures may share one
  std::uint32_t parameter_offset = 0;       ///< byte of constant bank 0 where the parameters of a kernel begin
  std::uint32_t block_extents_offset = 0;   ///< byte of constant bank 0 where x, y, z of blockDim stand
  std::uint32_t grid_extents_offset = 0;    ///< and those of gridDim
  std::uint32_t descriptor_offset = 0;      ///< byte of constant bank 0 that holds the descriptor of global memory; 0: none
  std::uint32_t reserved_shared_bytes = 0;  ///< of the system, at the start of each CTA's shared memory
  global_reference global = global_reference::pointer;
  std::string_view global_scope;         ///< suffix of accesses to global memory: ".SYS" or nothing
  std::string_view cta_barrier;          ///< the mnemonic of __syncthreads()
  std::string_view pack_halves;          ///< the mnemonic that rounds two f32 to the halves of a register
  bool octet_steps = false;              ///< f16 products of wmma are sets and steps of HMMA.884, which octets of lanes compute
  bool generic_fragment_access = false;  ///< wmma.load and wmma.store use generic accesses also where the space is known
  bool clusters = false;                 ///< CTAs may form clusters
  bool tensor_memory = false;            ///< the operands of its fastest matrix instructions lie in tensor memory (tcgen05)
};

/// The row of an architecture.
const architecture_info& info(architecture arch);

/// "sm_75" and so on.
std::string_view name(architecture arch);

/// The architecture of that name, nothing if there is none. "sm_90a" and "sm_100f" name sm_90 and sm_100: the letters, which compilers know
/// from sm_90 on, allow instructions that other architectures do not have.
std::optional<architecture> find_architecture(std::string_view text);

/// The architecture whose instructions and constants the code of `text` has: of "sm_87", which has no row of its own, those of sm_86.
/// Nothing for what is not known.
std::optional<architecture> find_related_architecture(std::string_view text);

/// All rows, in the order of the enumeration.
const std::array<architecture_info, architecture_count>& all_architectures();

/// The names of all architectures, or of those that have something, for messages: "sm_70, sm_75, ...".
std::string architecture_names(bool (*has)(const architecture_info& arch) = nullptr);

/// A span of consecutive architectures, both ends included; every one unless an end is given.
struct architecture_range {
  architecture first = architecture::sm_70;
  architecture last = newest_architecture;

  /// `first` and all that came after it, those of the future included.
  static constexpr architecture_range from(architecture first) { return {first, newest_architecture}; }
  static constexpr architecture_range only(architecture arch) { return {arch, arch}; }

  constexpr bool contains(architecture arch) const { return first <= arch && arch <= last; }
};

// The spans that tables of instructions name.
inline constexpr architecture_range until_turing{architecture::sm_70, architecture::sm_75},
    turing_only = architecture_range::only(architecture::sm_75), turing_on = architecture_range::from(architecture::sm_75),
    turing_to_ada{architecture::sm_75, architecture::sm_89}, ampere_on = architecture_range::from(architecture::sm_80),
    ampere_to_ada{architecture::sm_80, architecture::sm_89}, ada_on = architecture_range::from(architecture::sm_89),
    ada_only = architecture_range::only(architecture::sm_89), hopper_on = architecture_range::from(architecture::sm_90),
    hopper_only = architecture_range::only(architecture::sm_90), blackwell_on = architecture_range::from(architecture::sm_100),
    tensor_memory_only = architecture_range::only(architecture::sm_100),
    geforce_blackwell_only = architecture_range::only(architecture::sm_120);

/// "sm_75 and later", "sm_80 to sm_89", for messages.
std::string describe(architecture_range range);

}  // namespace tc::isa
