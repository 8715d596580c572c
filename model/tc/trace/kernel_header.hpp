// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <tc/isa/architecture.hpp>
#include <tc/isa/matrix_shapes.hpp>
#include <tc/isa/register_use.hpp>
#include <tc/isa/tensor_map.hpp>
#include <tc/trace/lanes.hpp>
#include <tc/trace/memory_content.hpp>

namespace tc::trace {

/// Extents of a grid, a block or a cluster, and a CTA's place in a grid.
struct dim3 {
  std::uint32_t x = 1, y = 1, z = 1;

  std::uint64_t count() const { return std::uint64_t{x} * y * z; }
};

/// Content of a range of global or shared memory.
struct memory_image {
  std::uint64_t base = 0;  ///< byte address; of shared memory, offset in the CTA's window
  memory_content content;
};

/// Part of a range: bytes [offset, offset + bytes) of it.
struct byte_range {
  std::uint64_t offset = 0, bytes = 0;
};

/// What a range of global memory must hold in the end, bit for bit.
struct expected_image : memory_image {
  std::vector<byte_range> samples;  ///< these bytes alone, in ascending order; empty: all of the range
};

/// Content of a range of a constant bank. What no image covers is undefined.
struct constant_image {
  unsigned bank = 0;
  std::uint64_t offset = 0;  ///< bytes
  memory_content content;
};

/// What stands behind the address of a tensor map that bulk tensor copies name.
struct tensor_map_entry {
  std::uint64_t address = 0;
  isa::tensor_map map;
};

/// What a trace says about its kernel before the first instruction.
struct kernel_header {
  static constexpr unsigned max_registers = isa::thread_registers;  ///< per thread (PTX ISA; RZ takes the last number)

  isa::architecture arch = isa::architecture::sm_70;
  std::uint64_t arch_line = 0, arch_column = 0;  ///< where the trace names it, for messages
  std::string kernel;                            ///< name, free text
  dim3 grid;                                     ///< CTAs
  dim3 block;                                    ///< threads per CTA
  dim3 cluster;                                  ///< CTAs per cluster
  unsigned registers = max_registers;            ///< per thread
  std::uint64_t shared_bytes = 0;                ///< per CTA
  bool has_data = true;                          ///< false: the trace tells nothing about values; it is good for timing alone
  std::vector<constant_image> constants;
  std::vector<memory_image> memory;          ///< global memory before the kernel starts
  std::vector<memory_image> shared_memory;   ///< shared memory of every CTA before it starts
  std::vector<expected_image> expectations;  ///< global memory after the kernel
  std::vector<tensor_map_entry> tensor_maps;
  isa::matrix_shape_table matrix_shapes;  ///< those that it declares, or that the reader of the trace does, besides those of the hardware

  unsigned warps_per_cta() const { return static_cast<unsigned>((block.count() + warp_lanes - 1) / warp_lanes); }
  /// Lanes of a warp that hold a thread: all but in the last warp of a block whose size is no multiple of 32.
  lane_mask lanes_of_warp(unsigned warp) const;
  /// The tensor map at an address, nullptr if there is none.
  const isa::tensor_map* find_tensor_map(std::uint64_t address) const;
};

}  // namespace tc::trace
