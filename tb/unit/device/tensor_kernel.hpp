// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <engine/tensor_mma_bench.hpp>
#include <functional>
#include <string>
#include <vector>

#include <tc/engine/product/cell_block.hpp>
#include <tc/isa/tcgen05/tcgen05_operation.hpp>

#include "tensor_traces.hpp"

namespace tc::device::test::tensor {

/// Instructions of the tensor engine, which one thread issues.
std::string multiply(const isa::tensor_mma_operation& operation);
/// `form`: "128x256b", or with multicast and formats what follows it.
std::string copy(const std::string& form, unsigned address, std::uint64_t descriptor);
std::string shift(unsigned address);
std::string commit(unsigned barrier, isa::cta_group group = isa::cta_group::one);

/// A kernel of four warps, a warp for each chunk of tensor memory, all of which they allocate: they fill columns, warp 0 issues what a test
/// is about, and they send columns to global memory. Of a pair of CTAs each does so, and CTA 0 issues.
class tensor_kernel {
 public:
  static constexpr unsigned shared_bytes = 0x20000;       ///< of the CTA, without what the kernel itself needs
  static constexpr unsigned barrier = shared_bytes;       ///< an mbarrier for a single arrival
  static constexpr unsigned spare_barrier = barrier + 8;  ///< nobody initialises this one

  using cell_value = std::function<std::uint32_t(unsigned lane, unsigned column)>;

  /// `number`: among the kernels of a run, each of which has its own part of global memory.
  explicit tensor_kernel(unsigned number = 0, isa::cta_group group = isa::cta_group::one) : number_(number), group_(group) {}

  /// Content of shared memory, of a pair in multiples of 16 bytes.
  void put(std::uint32_t address, const std::vector<std::uint8_t>& bytes, unsigned cta = 0) { shared_.push_back({address, bytes, cta}); }
  /// Cells that the warps store first, for all 128 lanes.
  void fill(const engine::cell_block& cells, unsigned cta = 0) { filled_.push_back({cells, cta}); }
  void fill(isa::column_range columns, const cell_value& value);
  /// What warp 0 issues then.
  void issue(const std::string& instructions) { issued_ += instructions; }
  /// A commit, and until it has arrived.
  void wait();
  /// Columns that all warps load and send at last.
  void send(isa::column_range columns);

  std::string text() const;

  /// Takes what has been sent from global memory.
  void take(gpu& device);
  /// A cell that has been sent.
  std::uint32_t cell(isa::tensor_address address) const;
  /// What a CTA has sent, by the number of send().
  const engine::cell_block& sent(std::size_t number, unsigned cta = 0) const { return sent_.at(number * ctas() + cta).cells; }

 private:
  struct shared_image {
    std::uint32_t address;
    std::vector<std::uint8_t> bytes;
    unsigned cta;
  };
  struct cells_of_cta {
    engine::cell_block cells;
    unsigned cta;
  };

  unsigned ctas() const { return isa::ctas(group_); }
  std::string header() const;
  std::string load_shared_memory(unsigned cta) const;
  std::string begin(unsigned cta) const;
  std::string warp(unsigned cta, unsigned chunk) const;
  std::uint64_t global_base() const;
  std::uint64_t place(const std::vector<cells_of_cta>& blocks, std::size_t block, bool sent) const;
  std::uint64_t place(std::size_t shared) const;

  unsigned number_;
  isa::cta_group group_;
  std::vector<shared_image> shared_;
  std::vector<cells_of_cta> filled_, sent_;
  std::string issued_;
  unsigned waits_ = 0;
};

/// Runs kernels one after the other, and takes what they send.
accounting::run_result run(std::vector<tensor_kernel>& kernels, const std::vector<std::string>& assignments = {});
accounting::run_result run(tensor_kernel& kernel, const std::vector<std::string>& assignments = {});

/// A kernel that issues instructions, or an operation alone, with the operands of a bench.
tensor_kernel kernel_of(const std::string& instructions, const engine::test::tensor_mma_bench& bench, unsigned number = 0);
tensor_kernel kernel_of(const isa::tensor_mma_operation& operation, const engine::test::tensor_mma_bench& bench, unsigned number = 0);
/// Gives the bench the D that the kernel has sent, and fails if another operand has changed.
void take_product(const tensor_kernel& kernel, engine::test::tensor_mma_bench& bench);

}  // namespace tc::device::test::tensor
