// SPDX-License-Identifier: Apache-2.0
#include "warpgroup_gemm_program.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <tc/kernels/gemm_pointer.hpp>
#include <tc/kernels/gemm_registers.hpp>
#include <tc/kernels/swizzled_rows.hpp>
#include <tc/trace/lanes.hpp>

namespace tc::kernels {
namespace {

constexpr unsigned group_rows = 8;        // of a core matrix
constexpr unsigned columns_of_group = 8;  // of D, whose elements follow each other in the registers
constexpr unsigned lanes_of_row_bits = 2, rows_of_group_bits = 3, warps_of_group_bits = 2, most_warpgroups_bits = 2;
constexpr unsigned warp_rows = 16;
constexpr unsigned register_bytes = 4;

}  // namespace

warpgroup_gemm_program::warpgroup_gemm_program(const warpgroup_gemm_plan& plan)
    : plan_(plan),
      d_global_(result_address()),
      accumulators_(register_list(gemm_registers::accumulators, plan.accumulators())),
      products_(product_texts()) {
  code_writer code(plan.arch, pointers_);
  load_global_descriptor(code, isa::control_code::no_barrier);
  compute_pointer(code, d_global_, gemm_registers::d_pointer, 2, isa::control_code::no_barrier);

  // The producer's code is as long for every CTA; that of the consumers lies behind it.
  warp_listing list(nullptr);
  add_producer(list, {0, 0, plan.consumer_warps()});
  consumer_pc_ = list.pc();
}

/// Where the first register of a thread's accumulators belongs: a warp has 16 rows, in which D lies as that of m16n8 does (PTX ISA,
/// wgmma.mma_async).
linear_address warpgroup_gemm_program::result_address() const {
  const unsigned element = plan_.problem.result_bytes();
  const std::uint32_t row = plan_.problem.n * element;
  linear_address address(plan_.memory.d, plan_.tiling.n * element, plan_.tiling.m * row);
  address.add_bits(lanes_of_row_bits, 2 * element);
  address.add_bits(rows_of_group_bits, row);
  address.add_bits(warps_of_group_bits + most_warpgroups_bits, warp_rows * row);
  return address;
}

void warpgroup_gemm_program::list_warp(listing_target& target, warp_place place) const {
  warp_listing list(&target);
  if (place.warp < plan_.consumer_warps())
    add_consumer(list, place);
  else
    add_producer(list, place);
}

/// Parts the warps: the consumers branch.
void warpgroup_gemm_program::add_entry(warp_listing& list, bool is_producer) const {
  list.add(fmt::format("S2R R{}, SR_TID.X", gemm_registers::thread));
  list.add(fmt::format("ISETP.LT.U32.AND P0, PT, R{}, {:#x}, PT", gemm_registers::thread, plan_.consumer_warps() * trace::warp_lanes));
  if (is_producer)
    list.add_idle("@P0 BRA `(.L_x_0)");
  else
    list.add("@P0 BRA `(.L_x_0)");
}

void warpgroup_gemm_program::add_producer(warp_listing& list, warp_place place) const {
  add_entry(list, true);
  add_barriers(list);
  add_start(list);
  const unsigned filled = std::min(plan_.tiling.stages, plan_.k_tiles), rounds = plan_.k_tiles - filled;
  for (unsigned tile = 0; tile < filled; ++tile) add_copies(list, tile, place);
  const std::uint32_t begin = list.pc();
  for (unsigned round = 0; round < rounds; ++round) {
    const unsigned tile = filled + round;
    list.add_for_one(
        fmt::format("mbarrier.try_wait.parity.shared::cta.b64 [{:#x}], {}", plan_.free_barrier(stage_of(tile)), (round_of(tile) - 1) % 2));
    add_copies(list, tile, place);
    list.add_loop_end(gemm_registers::counter, rounds, round, begin);
  }
  list.add("EXIT");
}

/// The copies' bytes make a stage full, after the producer has said how many they are; a lane of each consumer warp makes it free.
void warpgroup_gemm_program::add_barriers(warp_listing& list) const {
  for (unsigned stage = 0; stage < plan_.tiling.stages; ++stage) {
    list.add_for_one(fmt::format("mbarrier.init.shared::cta.b64 [{:#x}], 1", plan_.full_barrier(stage)));
    list.add_for_one(fmt::format("mbarrier.init.shared::cta.b64 [{:#x}], {}", plan_.free_barrier(stage), plan_.consumer_warps()));
  }
  list.add_for_one("fence.mbarrier_init.release.cluster");
}

void warpgroup_gemm_program::add_copies(warp_listing& list, unsigned tile, warp_place place) const {
  const unsigned stage = stage_of(tile);
  const auto add_copy = [&](std::uint32_t target, std::uint64_t map, unsigned row) {
    list.add_for_one(
        fmt::format("cp.async.bulk.tensor.2d.shared::cta.global.tile.mbarrier::complete_tx::bytes [{:#x}], [{:#x}, {{{}, {}}}], [{:#x}]",
                    target, map, tile * plan_.tiling.k, row, plan_.full_barrier(stage)));
  };
  list.add_for_one(fmt::format("mbarrier.arrive.expect_tx.shared::cta.b64 _, [{:#x}], {}", plan_.full_barrier(stage), plan_.stage_bytes()));
  add_copy(plan_.a_address(stage), plan_.a_map, place.cta_y * plan_.tiling.m);
  add_copy(plan_.b_address(stage), plan_.b_map, place.cta_x * plan_.tiling.n);
}

/// The first tile has code of its own: nothing is free behind it.
void warpgroup_gemm_program::add_consumer(warp_listing& list, warp_place place) const {
  const bool overlaps = plan_.tiling.stages > 1;
  const unsigned warpgroup = place.warp / warpgroup_gemm_plan::warpgroup_warps;
  add_entry(list, false);
  list.go_to(consumer_pc_);
  list.add(pointers_);
  add_start(list);
  add_products(list, 0, warpgroup);
  if (!overlaps) add_release(list, 0);
  const std::uint32_t begin = list.pc();
  for (unsigned tile = 1; tile < plan_.k_tiles; ++tile) {
    add_products(list, tile, warpgroup);
    add_release(list, overlaps ? tile - 1 : tile);
    list.add_loop_end(gemm_registers::counter, plan_.k_tiles - 1, tile - 1, begin);
  }
  list.add("wgmma.wait_group.sync.aligned 0");
  add_stores(list, place);
  list.add("EXIT");
}

void warpgroup_gemm_program::add_products(warp_listing& list, unsigned tile, unsigned warpgroup) const {
  list.add(fmt::format("mbarrier.try_wait.parity.shared::cta.b64 [{:#x}], {}", plan_.full_barrier(stage_of(tile)), round_of(tile) % 2));
  list.add("wgmma.fence.sync.aligned");
  for (unsigned step = 0; step < plan_.steps(); ++step) {
    if (tile + step == 0)
      list.add(product_text({0, 0, warpgroup}, false));
    else
      list.add(products_[number_of({stage_of(tile), step, warpgroup})]);
  }
  list.add("wgmma.commit_group.sync.aligned");
}

/// Waits for the products of a tile, behind which there may be those of another one, and says that its stage is free.
void warpgroup_gemm_program::add_release(warp_listing& list, unsigned tile) const {
  list.add(fmt::format("wgmma.wait_group.sync.aligned {}", plan_.tiling.stages > 1 ? 1 : 0));
  list.add_for_one(fmt::format("mbarrier.arrive.shared::cta.b64 _, [{:#x}]", plan_.free_barrier(stage_of(tile))));
}

/// For each eight columns of D, a thread has two elements of a row and two of the row eight below, side by side.
void warpgroup_gemm_program::add_stores(warp_listing& list, warp_place place) const {
  const unsigned element = plan_.problem.result_bytes(), registers = 2 * element / register_bytes;
  const std::uint64_t row = std::uint64_t{plan_.problem.n} * element;
  unsigned next = gemm_registers::accumulators;
  for (unsigned column = 0; column < plan_.tiling.n; column += columns_of_group) {
    for (const unsigned below : {0u, group_rows}) {
      const std::uint64_t offset = below * row + column * element;
      list.add_access(
          fmt::format("STG.E{} {}, R{}", width_suffix(2 * element), global_reference(plan_.arch, gemm_registers::d_pointer, offset), next),
          d_global_, offset, place);
      next += registers;
    }
  }
}

/// No warp may use the barriers before they are there.
void warpgroup_gemm_program::add_start(warp_listing& list) const {
  list.add(fmt::format("IMAD.MOV.U32 R{}, RZ, RZ, RZ", gemm_registers::counter));
  list.add(fmt::format("{} 0x0", isa::info(plan_.arch).cta_barrier));
}

/// Only the first product of all leaves out the sum so far, which is not there yet. Behind scale-d stand scale-a and scale-b of
/// floating-point types, and the transpositions of 16-bit ones.
std::string warpgroup_gemm_program::product_text(const product_place& place, bool accumulates) const {
  const unsigned offset = place.step * warpgroup_gemm_plan::step_bytes;
  const std::uint32_t a = plan_.a_address(place.stage) + place.warpgroup * plan_.operation.m * warpgroup_gemm_plan::stage_row_bytes;
  const gemm_precision& precision = plan_.problem.precision;
  const bool has_scales = precision.accumulator != isa::element_type::s32,
             has_transpositions = has_scales && plan_.problem.element_bits() == 16;
  return fmt::format("wgmma.mma_async.sync.aligned.{} {}, {:#x}, {:#x}, {}{}{}", plan_.instruction_types(), accumulators_,
                     swizzled_rows(a + offset, plan_.arch), swizzled_rows(plan_.b_address(place.stage) + offset, plan_.arch),
                     accumulates ? 1 : 0, has_scales ? ", 1, 1" : "", has_transpositions ? ", 0, 0" : "");
}

std::vector<std::string> warpgroup_gemm_program::product_texts() const {
  std::vector<std::string> texts(number_of({plan_.tiling.stages, 0, 0}));
  for (unsigned stage = 0; stage < plan_.tiling.stages; ++stage)
    for (unsigned step = 0; step < plan_.steps(); ++step)
      for (unsigned warpgroup = 0; warpgroup < warpgroups(); ++warpgroup)
        texts[number_of({stage, step, warpgroup})] = product_text({stage, step, warpgroup}, true);
  return texts;
}

}  // namespace tc::kernels
