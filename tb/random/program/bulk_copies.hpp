// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "memory_accesses.hpp"
#include "random_tensor.hpp"

namespace tcsim::random_programs {

/// Adds bulk copies between both memories to a warp, and waits for them.
class bulk_copies {
 public:
  explicit bulk_copies(random_numbers& random) : random_(random) {}

  /// From global to shared memory; `barrier` is the address of an mbarrier of the warp's own that expects one arrival, of which this waits
  /// for the phase of `parity`. False if there are no blocks for it.
  bool add_loads(warp_text& warp, const warp_blocks& shared, const warp_blocks& global, std::uint32_t barrier, bool parity);
  /// From shared to global memory.
  void add_stores(warp_text& warp, const warp_blocks& shared, const warp_blocks& global);

 private:
  struct part {
    std::uint64_t shared, global;
    unsigned bytes;
  };
  part random_part(const std::vector<std::uint64_t>& shared, const std::vector<std::uint64_t>& global);

  random_numbers& random_;
};

/// Adds bulk copies of boxes of tensors to a warp, and waits for them.
class tensor_copies {
 public:
  /// Global memory of a warp's own, in which it has a tensor.
  static constexpr unsigned warp_bytes = 1024;

  explicit tensor_copies(random_numbers& random) : random_(random) {}

  /// Tensors of a part of global memory that nobody writes.
  void add_inputs(std::uint64_t base, std::uint64_t bytes);
  /// From a tensor of the inputs, or of the warp's own memory at `own`, to shared memory. The mbarrier is as in bulk_copies::add_loads().
  bool add_load(warp_text& warp, const warp_blocks& shared, std::uint64_t own, std::uint32_t barrier, bool parity);
  /// From shared memory to the tensor of the warp's own memory.
  void add_store(warp_text& warp, const warp_blocks& shared, std::uint64_t own);

  /// Lines of a trace's header: the tensor maps.
  std::string header() const;

 private:
  std::uint64_t add(const random_tensor& tensor);
  std::uint64_t own_tensor(std::uint64_t base);
  std::uint64_t random_place(const std::vector<std::uint64_t>& blocks, unsigned bytes);

  random_numbers& random_;
  std::map<std::uint64_t, random_tensor> maps_;  ///< by the address of the tensor map
  std::vector<std::uint64_t> inputs_;            ///< addresses of tensor maps
  std::map<std::uint64_t, std::uint64_t> own_;   ///< tensor map by the address of the memory
};

}  // namespace tcsim::random_programs
