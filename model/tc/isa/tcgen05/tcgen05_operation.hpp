// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include <tc/isa/tcgen05/copy_shape.hpp>
#include <tc/isa/tcgen05/instruction_descriptor.hpp>
#include <tc/isa/tcgen05/mma_form.hpp>
#include <tc/isa/tcgen05/tensor_access.hpp>

namespace tc::isa {

// Addresses in tensor memory, descriptors and sizes stand here as the instruction's registers held them: what they mean is judged when the
// instruction runs, as on silicon.

/// What happens to the columns of tensor memory that a CTA holds (PTX ISA, tcgen05.alloc).
enum class tensor_allocation : std::uint8_t {
  allocate,    ///< waits for `columns` free ones, and writes the address of the first to shared memory
  deallocate,  ///< gives `columns` from `tensor_address` on back
  relinquish,  ///< relinquish_alloc_permit: the CTA allocates no more
};

struct tensor_allocation_operation {
  tensor_allocation action = tensor_allocation::allocate;
  cta_group group = cta_group::one;
  std::uint32_t destination = 0;     ///< of allocate: address in the CTA's window, a multiple of 4
  std::uint32_t tensor_address = 0;  ///< of deallocate
  std::uint32_t columns = 0;         ///< of allocate a power of two, 32 to 512; of deallocate a multiple of 32
};

/// tcgen05.ld and tcgen05.st: a warp's registers from or to tensor memory (PTX ISA).
struct tensor_access_operation {
  bool load = true;
  tensor_access_shape shape = tensor_access_shape::lanes32_bits32;
  unsigned repeat = 1;
  bool packed = false;  ///< .pack::16b, .unpack::16b
  std::uint32_t address = 0;
  std::uint32_t half_offset = 0;        ///< columns between the halves of .16x32bx2
  std::vector<std::uint8_t> registers;  ///< registers_per_thread(); RZ may be one of a store
};

/// tcgen05.wait: until the warp's own loads, or stores, are complete.
struct tensor_wait_operation {
  bool loads = true;
};

/// tcgen05.cp: shared memory to tensor memory (PTX ISA).
struct tensor_copy_operation {
  cta_group group = cta_group::one;
  tensor_copy_shape shape = tensor_copy_shape::rows128_bits256;
  tensor_copy_multicast multicast = tensor_copy_multicast::none;
  tensor_copy_decompression decompression = tensor_copy_decompression::none;
  std::uint32_t address = 0;
  std::uint64_t descriptor = 0;  ///< of the matrix in shared memory
};

/// tcgen05.shift.down: 8 columns move by one lane towards lane 0 (PTX ISA; direction and chunks as measured on a B200, public SASS
/// documentation project).
struct tensor_shift_operation {
  cta_group group = cta_group::one;
  std::uint32_t address = 0;
};

/// What an instruction does with the collector buffer of its stationary operand (PTX ISA, .collector_usage).
enum class collector_use : std::uint8_t { fill, use, last_use, discard };

/// tcgen05.mma: D = A x B (+ D), D in tensor memory (PTX ISA).
struct tensor_mma_operation {
  mma_form form{};
  bool shift_a = false;        ///< .ashift
  std::uint8_t collector = 0;  ///< buffer: 0 of A, 0 to 3 of B if the weights are stationary
  collector_use use = collector_use::discard;
  std::uint32_t d = 0;
  bool a_in_tensor_memory = false;
  std::uint32_t a_address = 0;     ///< in tensor memory
  std::uint64_t a_descriptor = 0;  ///< in shared memory
  std::uint64_t b_descriptor = 0;
  std::uint32_t metadata = 0;                     ///< address, of a sparse A
  std::uint32_t descriptor = 0;                   ///< instruction descriptor
  std::uint32_t scale_a = 0, scale_b = 0;         ///< addresses, of block-scaled kinds
  std::vector<std::uint32_t> disabled_lanes;      ///< lanes of D that are not written, 32 of them in a word: none, or 4 words for each CTA
  bool enable_input_d = true;                     ///< false: D = A x B
  std::uint8_t scale_input_d = 0;                 ///< D is first divided by 2 to this power: 0 to 15
  std::optional<std::uint64_t> zero_column_mask;  ///< descriptor of the columns of B that count as zero; only if the weights are stationary
};

/// tcgen05.commit: an mbarrier gets an arrival when what the thread began before is complete (PTX ISA).
struct tensor_commit_operation {
  cta_group group = cta_group::one;
  std::uint32_t barrier = 0;              ///< address in the CTA's window, a multiple of 8
  std::optional<std::uint16_t> cta_mask;  ///< of the cluster's CTAs whose mbarriers get it; none: its own
};

/// tcgen05.fence: orders the asynchronous tensor instructions of a thread before, or after, its synchronisation with others.
struct tensor_fence_operation {
  bool before_thread_sync = true;
};

/// What an instruction on tensor memory does.
using tcgen05_operation = std::variant<tensor_allocation_operation, tensor_access_operation, tensor_wait_operation, tensor_copy_operation,
                                       tensor_shift_operation, tensor_mma_operation, tensor_commit_operation, tensor_fence_operation>;

}  // namespace tc::isa
