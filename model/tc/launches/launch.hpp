// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <tc/isa/element_type.hpp>
#include <tc/launches/launch_content.hpp>
#include <tc/launches/unpacked_launch.hpp>
#include <tc/trace/kernel_header.hpp>

namespace tc::launches {

/// Where a launch says something, for messages.
struct launch_place {
  std::uint64_t line = 0;
  std::size_t column = 1;
};

/// A parameter of the kernel, as it lies in the parameter block.
struct launch_parameter {
  std::uint32_t offset = 0;
  std::vector<std::uint8_t> bytes;
  launch_place place;
};

/// How far the content after the launch may be from the recorded one.
struct launch_tolerance {
  isa::element_type type = isa::element_type::f32;
  double units = 0;  ///< in the last place: see tc::execution::compare()
};

/// An allocation of global memory, or a variable of the module.
struct launch_allocation {
  std::uint64_t base = 0, bytes = 0;
  std::string name;  ///< of a variable; empty: an allocation
  launch_content before;
  std::optional<std::filesystem::path> after;  ///< the file with its content after the launch; none: as before
  std::optional<launch_tolerance> tolerance;   ///< none: bit for bit
  launch_place place;

  std::uint64_t end() const { return base + bytes; }
};

/// What a range of a constant bank holds.
struct launch_constant {
  unsigned bank = 0;
  std::uint32_t offset = 0;
  std::vector<std::uint8_t> bytes;
};

/// One launch of a kernel: what it needs to be executed, and what was in memory behind it (docs/launches.md).
struct launch {
  std::string file;  ///< launch.txt, for messages
  std::filesystem::path folder, code;
  std::shared_ptr<const unpacked_launch> unpacked;  ///< where the files of a packed launch are; null: it is a folder
  unsigned version = 1;
  std::string kernel;
  trace::dim3 grid, block, cluster;
  std::uint64_t dynamic_shared_bytes = 0, static_shared_bytes = 0;
  unsigned registers = 0;
  std::vector<launch_parameter> parameters;    ///< by offset
  std::vector<launch_allocation> allocations;  ///< by address; none overlaps another
  std::vector<launch_constant> constants;
  std::optional<std::uint64_t> code_address;  ///< where the kernel's first instruction lay
  std::optional<std::uint64_t> local_bytes;   ///< of a thread
  std::optional<unsigned> carveout_percent;   ///< of the L1 cache, for shared memory
  bool is_cooperative = false;
  launch_place kernel_place, shared_place, registers_place, cooperative_place;

  std::uint64_t shared_bytes() const { return dynamic_shared_bytes + static_shared_bytes; }
};

}  // namespace tc::launches
