// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <variant>
#include <vector>

#include <tc/isa/matrix_descriptor.hpp>
#include <tc/isa/mma_operation.hpp>
#include <tc/isa/register_use.hpp>
#include <tc/isa/tcgen05/tcgen05_operation.hpp>
#include <tc/isa/tensor_map.hpp>

namespace tc::isa {

/// wgmma.mma_async: D = A x B (+ D) by the four warps of a warpgroup, B and perhaps A in shared memory (PTX ISA, wgmma.mma_async). Each
/// warp computes 16 of the 64 rows, warp w of the group rows 16 w to 16 w + 15, which lie in its registers as those of an m16n8 fragment
/// do, one such fragment for each eight columns.
struct wgmma_operation {
  mma_operation mma{};  ///< of the warpgroup: m is 64, c is d
  bool a_in_registers = false;
  matrix_descriptor a{};  ///< unless A is in registers
  matrix_descriptor b{};
  bool accumulate = true;                   ///< scale-d: false makes it D = A x B
  bool negate_a = false, negate_b = false;  ///< imm-scale -1
  matrix_major a_major = matrix_major::k, b_major = matrix_major::k;
  std::vector<std::uint8_t> accumulators;  ///< registers of D: N / 2 of 32-bit elements, N / 4 of 16-bit ones
  std::vector<std::uint8_t> a_registers;   ///< four, or none
};

/// What happens to an mbarrier object (PTX ISA, mbarrier).
enum class barrier_action : std::uint8_t {
  initialise,     ///< init: `count` arrivals are expected in each phase
  invalidate,     ///< inval
  arrive,         ///< arrive, by `count`
  arrive_expect,  ///< arrive.expect_tx: first expect, then arrive by 1
  expect,         ///< expect_tx: `bytes` more are to come in this phase
  complete,       ///< complete_tx: `bytes` have come
  test_wait,      ///< asks whether the phase of a parity has completed; does not wait
  wait,           ///< try_wait, as executed: the warp goes on when the phase of a parity has completed
};

/// An instruction on an mbarrier of the CTA's shared memory.
struct barrier_operation {
  barrier_action action = barrier_action::arrive;
  std::uint32_t address = 0;                ///< in the CTA's window, a multiple of 8
  std::uint32_t count = 1;                  ///< arrivals: 1 to 2^20 - 1
  std::uint32_t bytes = 0;                  ///< up to 2^20 - 1
  bool parity = false;                      ///< of the phase that is waited for
  bool drop = false;                        ///< arrive_drop: later phases expect `count` fewer arrivals
  std::uint8_t predicate = true_predicate;  ///< that test_wait and try_wait set, PT if none
};

/// cp.async.bulk and cp.async.bulk.tensor (PTX ISA).
struct bulk_copy_operation {
  bool to_shared = true;      ///< from global to shared memory, completing on an mbarrier; false: the other way, completing in a bulk group
  std::uint32_t shared = 0;   ///< address in the CTA's window, a multiple of 16; of tensor copies of 128
  std::uint64_t global = 0;   ///< byte address of a linear copy, a multiple of 16
  std::uint32_t bytes = 0;    ///< of a linear copy, a multiple of 16
  std::uint32_t barrier = 0;  ///< address of the mbarrier in the CTA's window, a multiple of 8
  bool tensor = false;        ///< a box of a tensor
  std::uint64_t map = 0;      ///< address of the tensor map, which the kernel's header describes
  std::array<std::int32_t, max_tensor_rank> coordinates{};  ///< of the box's first element; innermost dimension first
  unsigned rank = 0;                                        ///< coordinates given
  bool im2col = false;
  std::array<std::uint16_t, 3> im2col_offsets{};  ///< for W, H, D
};

/// Instructions that order or group asynchronous ones.
enum class async_control : std::uint8_t {
  warpgroup_arrive,  ///< wgmma.fence
  warpgroup_commit,  ///< wgmma.commit_group
  warpgroup_wait,    ///< wgmma.wait_group: until at most `pending` groups are incomplete
  bulk_commit,       ///< cp.async.bulk.commit_group
  bulk_wait,         ///< cp.async.bulk.wait_group
  bulk_wait_read,    ///< cp.async.bulk.wait_group.read
  proxy_fence,       ///< fence.proxy.async of shared memory: accesses of the generic proxy before those of the asynchronous one
  other_fence,       ///< fence.proxy.async.global, .alias and .tensormap, which order no accesses to shared memory
  barrier_fence,     ///< fence.mbarrier_init
};

struct async_control_operation {
  async_control control = async_control::proxy_fence;
  std::uint32_t pending = 0;  ///< groups that may be incomplete
};

/// What an instruction of PTX for the asynchronous units does.
using asynchronous_operation =
    std::variant<wgmma_operation, barrier_operation, bulk_copy_operation, async_control_operation, tcgen05_operation>;

}  // namespace tc::isa
