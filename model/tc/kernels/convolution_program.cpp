// SPDX-License-Identifier: Apache-2.0
#include "convolution_program.hpp"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include <tc/isa/tcgen05/instruction_descriptor.hpp>
#include <tc/kernels/gemm_pointer.hpp>
#include <tc/kernels/swizzled_rows.hpp>
#include <tc/trace/lanes.hpp>

namespace tc::kernels {
namespace {

constexpr unsigned producer_warp = 0, issuer_warp = 1;
constexpr std::string_view wait_text = "mbarrier.try_wait.parity.shared::cta.b64 [{:#x}], {}";
constexpr std::string_view fence_before = "tcgen05.fence::before_thread_sync", fence_after = "tcgen05.fence::after_thread_sync";

// Where the code keeps what: first vector registers.
constexpr unsigned thread = 0, counter = 1, position = 2, row = 3, column = 4, pointer = 6, cta_x = 8, cta_y = 9, warp_number = 10;

std::uint32_t instruction_of(const convolution_plan& plan) {
  isa::instruction_descriptor descriptor;
  descriptor.m = convolution_plan::tile_positions;
  descriptor.n = plan.tile_filters;
  return isa::encode(descriptor, isa::mma_form{});
}

std::string zero_list(unsigned count) {
  std::string text = "{";
  for (unsigned i = 0; i < count; ++i) text += i == 0 ? "RZ" : ", RZ";
  return text + '}';
}

/// Columns that are loaded or stored at once.
unsigned columns_at(unsigned first, unsigned all) {
  unsigned count = convolution_plan::registers_at_once;
  while (first + count > all) count /= 2;
  return count;
}

/// Lets the warp go through a section, or branches behind it.
bool enters(warp_listing& list, bool goes_in, std::string_view predicate, std::uint32_t behind) {
  const std::string branch = fmt::format("@{} BRA `(.L_x_0)", predicate);
  if (goes_in) {
    list.add_idle(branch);
  } else {
    list.add(branch);
    list.go_to(behind);
  }
  return goes_in;
}

std::string commit_text(std::uint32_t barrier) {
  return fmt::format("tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [{:#x}]", barrier);
}

}  // namespace

convolution_program::convolution_program(const convolution_plan& plan) : plan_(plan), instruction_(instruction_of(plan)) {
  code_writer code(plan.arch, descriptor_);
  load_global_descriptor(code, isa::control_code::no_barrier);

  // Sections are as long for every CTA and every warp that goes through them.
  warp_listing list(nullptr);
  const warp_place first{};
  add_entry(list, first);
  list.add_idle("@P2 BRA `(.L_x_0)");
  add_setup(list);
  setup_end_ = list.pc();
  add_clear(list, 0);
  list.add_idle("@P2 BRA `(.L_x_0)");
  add_producer(list, first);
  producer_end_ = list.pc();
  list.add_idle("@P3 BRA `(.L_x_0)");
  add_issuer(list, first);
  issuer_end_ = list.pc();
  add_results(list, first);
  list.add_idle("@P2 BRA `(.L_x_0)");
  list.add_idle("dealloc");
  exit_ = list.pc();
}

void convolution_program::list_warp(listing_target& target, warp_place place) const {
  warp_listing list(&target);
  const bool is_first = place.warp == producer_warp;
  add_entry(list, place);
  if (enters(list, is_first, "P2", setup_end_)) add_setup(list);
  add_clear(list, place.warp);
  if (enters(list, is_first, "P2", producer_end_)) add_producer(list, place);
  if (enters(list, place.warp == issuer_warp, "P3", issuer_end_)) add_issuer(list, place);
  add_results(list, place);
  if (enters(list, is_first, "P2", exit_))
    list.add(fmt::format("tcgen05.dealloc.cta_group::1.sync.aligned.b32 0x0, {}", convolution_plan::columns));
  list.add("EXIT");
}

/// P2 is whether a warp is not the first one, P3 whether it is not the second one.
void convolution_program::add_entry(warp_listing& list, warp_place place) const {
  list.add(fmt::format("S2R R{}, SR_TID.X", thread));
  list.add(fmt::format("SHF.R.U32.HI R{}, RZ, 0x5, R{}", warp_number, thread));
  list.add(fmt::format("ISETP.NE.AND P2, PT, R{}, {:#x}, PT", warp_number, producer_warp));
  list.add(fmt::format("ISETP.NE.AND P3, PT, R{}, {:#x}, PT", warp_number, issuer_warp));
  list.add(fmt::format("IMAD.MOV.U32 R{}, RZ, RZ, RZ", counter));
  list.add(descriptor_);
  add_pointer(list, plan_.sequence_of(place.cta_x));
}

/// The address of the lane's first sum, and P0, whether it has one. The row is a product with the reciprocal of the pitch, rounded up:
/// exact for positions below 2^31 (Granlund and Montgomery, PLDI 1994).
void convolution_program::add_pointer(warp_listing& list, const pixel_sequence& sequence) const {
  constexpr unsigned word_bits = 32;
  unsigned shift = 0;
  while (sequence.pitch >> shift > 1) ++shift;
  const std::uint64_t scale = std::uint64_t{1} << (word_bits + shift), reciprocal = (scale + sequence.pitch - 1) / sequence.pitch;
  const bool is_power = reciprocal >> word_bits != 0;
  list.add(fmt::format("S2R R{}, SR_CTAID.X", cta_x));
  list.add(fmt::format("S2R R{}, SR_CTAID.Y", cta_y));
  list.add(fmt::format("IMAD R{}, R{}, {:#x}, R{}", position, cta_x, convolution_plan::tile_positions, thread));
  const auto first = static_cast<unsigned>(&sequence - plan_.sequences.data());
  list.add(fmt::format("IADD3 R{0}, R{0}, -{1:#x}, RZ", position, plan_.first_tiles.at(first) * convolution_plan::tile_positions));
  if (!is_power) list.add(fmt::format("IMAD.HI.U32 R{}, R{}, {:#x}, RZ", row, position, reciprocal));
  list.add(fmt::format("SHF.R.U32.HI R{}, RZ, {:#x}, R{}", row, shift, is_power ? position : row));
  list.add(fmt::format("IMAD R{}, R{}, -{:#x}, R{}", column, row, sequence.pitch, position));
  list.add(fmt::format("ISETP.LT.U32.AND P0, PT, R{}, {:#x}, PT", column, sequence.outputs));
  list.add(fmt::format("ISETP.LT.U32.AND P0, PT, R{}, {:#x}, P0", row, sequence.rows));
  list.add(fmt::format("IMAD R{0}, R{0}, {1:#x}, RZ", row, plan_.problem.output_width()));
  list.add(fmt::format("IADD3 R{0}, R{0}, {1:#x}, RZ", row, sequence.first_output));
  list.add(fmt::format("IMAD R{0}, R{1}, {2:#x}, R{0}", row, column, sequence.output_step));
  list.add(fmt::format("IMAD R{0}, R{0}, {1:#x}, RZ", row, plan_.problem.filters));
  list.add(fmt::format("IMAD R{0}, R{1}, {2:#x}, R{0}", row, cta_y, plan_.tile_filters));
  constexpr unsigned output_argument = 2, argument_bytes = 8;
  list.add(fmt::format("IMAD.WIDE.U32 R{}, R{}, {:#x}, c[0x0][{:#x}]", pointer, row, convolution_problem::result_bytes,
                       isa::info(plan_.arch).parameter_offset + output_argument * argument_bytes));
}

/// A stage is full when the copies' bytes are there, which the producer announces, and free when the issuer's commit arrives.
void convolution_program::add_setup(warp_listing& list) const {
  list.add(
      fmt::format("tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [{:#x}], {}", plan_.allocation(), convolution_plan::columns));
  list.add("tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned");
  const auto initialise = [&list](std::uint32_t barrier) {
    list.add_for_one(fmt::format("mbarrier.init.shared::cta.b64 [{:#x}], 1", barrier));
  };
  for (unsigned stage = 0; stage < plan_.window_stages; ++stage) {
    initialise(plan_.window_full(stage));
    initialise(plan_.window_free(stage));
  }
  for (unsigned stage = 0; stage < plan_.filter_stages; ++stage) {
    initialise(plan_.filter_full(stage));
    initialise(plan_.filter_free(stage));
  }
  initialise(plan_.products_done());
  initialise(plan_.pixels_moved());
  list.add_for_one("fence.mbarrier_init.release.cluster");
}

/// Nobody goes on before the barriers and the columns are there, and D is zero if it must be.
void convolution_program::add_clear(warp_listing& list, unsigned warp) const {
  const std::string barrier = fmt::format("{} 0x0", isa::info(plan_.arch).cta_barrier);
  list.add(fence_before);
  list.add(barrier);
  list.add(fence_after);
  if (!plan_.clears) return;
  for (unsigned first = 0; first < plan_.tile_filters;) {
    const unsigned count = columns_at(first, plan_.tile_filters);
    list.add(fmt::format("tcgen05.st.sync.aligned.32x32b.x{}.b32 [{:#x}], {}", count,
                         isa::encode(isa::tensor_address{warp * isa::chunk_lanes, first}), zero_list(count)));
    first += count;
  }
  list.add("tcgen05.wait::st.sync.aligned");
  list.add(fence_before);
  list.add(barrier);
  list.add(fence_after);
}

/// A new barrier counts as one whose phase of parity 1 is complete: at first every stage is free.
void convolution_program::add_producer(warp_listing& list, warp_place place) const {
  const std::uint32_t begin = list.pc();
  for (unsigned window = 0; window < plan_.windows(); ++window) {
    add_window_copies(list, place, window);
    for (unsigned step = 0; step < plan_.steps; ++step) add_filter_copy(list, place, window, step);
    list.add_loop_end(counter, plan_.windows(), window, begin);
  }
}

void convolution_program::add_window_copies(warp_listing& list, warp_place place, unsigned window) const {
  const unsigned stage = window % plan_.window_stages, round = window / plan_.window_stages;
  const convolution_plan::window part = plan_.window_at(window);
  const pixel_sequence& sequence = plan_.sequence_of(place.cta_x);
  const std::size_t map = plan_.map_of(sequence, part.r, part.s);
  const pixel_direction::tap h = sequence.h.tap_at(part.r), w = sequence.w.tap_at(part.s);
  // Where no pixel has a tap's remainder, the copies are of no image: zeros.
  const bool is_empty = sequence.h.elements(h.remainder) == 0 || sequence.w.elements(w.remainder) == 0;
  const shift_window lanes(sequence, plan_.first_position(place.cta_x));
  const auto add_copy = [&](std::uint32_t target, std::uint64_t map_address, std::int64_t first) {
    const pixel_place at = sequence.element(first);
    list.add_for_one(
        fmt::format("cp.async.bulk.tensor.4d.shared::cta.global.im2col.mbarrier::complete_tx::bytes [{:#x}], [{:#x}, {{{}, {}, {}, {}}}], "
                    "[{:#x}], {{{}, {}}}",
                    target, map_address, part.channel, at.w, at.h, is_empty ? plan_.problem.batch : at.image, plan_.window_full(stage),
                    w.offset, h.offset));
  };
  const unsigned pixels = convolution_plan::tile_positions + (plan_.steps - 1) * isa::tensor_chunks;
  list.add_for_one(fmt::format(wait_text, plan_.window_free(stage), (round + 1) % 2));
  list.add_for_one(fmt::format("mbarrier.arrive.expect_tx.shared::cta.b64 _, [{:#x}], {}", plan_.window_full(stage),
                               pixels * plan_.block_channels * convolution_problem::element_bytes));
  add_copy(plan_.window_address(stage), plan_.window_map(map), lanes.position(0, 0));
  for (unsigned step = 1; step < plan_.steps; ++step) {
    const shift_window::refill_positions refills = lanes.refills(step);
    for (unsigned chunk = 0; chunk < isa::tensor_chunks; ++chunk)
      add_copy(plan_.refill_address(stage, step) + chunk * convolution_plan::row_bytes, plan_.refill_map(map), refills.at(chunk));
  }
}

void convolution_program::add_filter_copy(warp_listing& list, warp_place place, unsigned window, unsigned step) const {
  const unsigned tile = window * plan_.steps + step, stage = tile % plan_.filter_stages, round = tile / plan_.filter_stages;
  const convolution_plan::window part = plan_.window_at(window);
  list.add_for_one(fmt::format(wait_text, plan_.filter_free(stage), (round + 1) % 2));
  list.add_for_one(fmt::format("mbarrier.arrive.expect_tx.shared::cta.b64 _, [{:#x}], {}", plan_.filter_full(stage),
                               plan_.tile_filters * plan_.block_channels * convolution_problem::element_bytes));
  list.add_for_one(
      fmt::format("cp.async.bulk.tensor.3d.shared::cta.global.tile.mbarrier::complete_tx::bytes [{:#x}], [{:#x}, {{{}, {}, {}}}], [{:#x}]",
                  plan_.filter_address(stage), plan_.filter_map(), part.channel, part.r * plan_.problem.filter.width + part.s + step,
                  place.cta_y * plan_.tile_filters, plan_.filter_full(stage)));
}

void convolution_program::add_issuer(warp_listing& list, warp_place place) const {
  const shift_window lanes(plan_.sequence_of(place.cta_x), plan_.first_position(place.cta_x));
  const std::uint32_t begin = list.pc();
  for (unsigned window = 0; window < plan_.windows(); ++window) {
    const unsigned stage = window % plan_.window_stages, round = window / plan_.window_stages;
    list.add_for_one(fmt::format(wait_text, plan_.window_full(stage), round % 2));
    list.add_for_one(fence_after);
    for (unsigned k_step = 0; k_step < plan_.block_steps(); ++k_step)
      list.add_for_one(fmt::format("tcgen05.cp.cta_group::1.128x256b [{:#x}], {:#x}", plan_.a_column(stage, k_step),
                                   swizzled_rows(plan_.window_address(stage) + k_step * convolution_plan::step_bytes, plan_.arch)));
    for (unsigned step = 0; step < plan_.steps; ++step) add_products(list, lanes, window, step);
    list.add_for_one(commit_text(plan_.window_free(stage)));
    list.add_loop_end(counter, plan_.windows(), window, begin);
  }
  list.add_for_one(commit_text(plan_.products_done()));
}

/// The products of a tap, behind the steps that bring its pixels to the lanes.
void convolution_program::add_products(warp_listing& list, const shift_window& lanes, unsigned window, unsigned step) const {
  const unsigned tile = window * plan_.steps + step, stage = window % plan_.window_stages, filter_stage = tile % plan_.filter_stages;
  std::string disabled;
  if (has_shifts()) {
    const shift_window::disabled_words words = lanes.disabled_lanes(step);
    disabled = fmt::format(", {{{:#010x}, {:#010x}, {:#010x}, {:#010x}}}", words[0], words[1], words[2], words[3]);
  }
  list.add_for_one(fmt::format(wait_text, plan_.filter_full(filter_stage), tile / plan_.filter_stages % 2));
  if (step > 0 && plan_.options.shift_with_product) {
    list.add_for_one(commit_text(plan_.pixels_moved()));
    list.add_for_one(fmt::format(wait_text, plan_.pixels_moved(), (window * (plan_.steps - 1) + step - 1) % 2));
    list.add_for_one(fence_after);
  }
  for (unsigned k_step = 0; k_step < plan_.block_steps(); ++k_step) {
    if (step > 0) add_refill(list, stage, step, k_step);
    const bool is_first = tile == 0 && k_step == 0;
    list.add_for_one(fmt::format("tcgen05.mma.cta_group::1.kind::f16{} [0x0], [{:#x}], {:#x}, {:#010x}{}, {}",
                                 moves_behind(step) ? ".ashift" : "", plan_.a_column(stage, k_step),
                                 swizzled_rows(plan_.filter_address(filter_stage) + k_step * convolution_plan::step_bytes, plan_.arch),
                                 instruction_, disabled, is_first && !plan_.clears ? 0 : 1));
  }
  list.add_for_one(commit_text(plan_.filter_free(filter_stage)));
}

/// Moves the pixels of a K-step on by a lane, and fills the last lane of each chunk.
void convolution_program::add_refill(warp_listing& list, unsigned stage, unsigned step, unsigned k_step) const {
  const unsigned first = plan_.a_column(stage, k_step);
  if (!plan_.options.shift_with_product) list.add_for_one(fmt::format("tcgen05.shift.cta_group::1.down [{:#x}]", first));
  list.add_for_one(fmt::format("tcgen05.cp.cta_group::1.4x256b [{:#x}], {:#x}",
                               isa::encode(isa::tensor_address{isa::chunk_lanes - 1, first}),
                               swizzled_rows(plan_.refill_address(stage, step) + k_step * convolution_plan::step_bytes, plan_.arch)));
}

/// Each warp waits for all products, and moves the lanes of its chunk to global memory.
void convolution_program::add_results(warp_listing& list, warp_place place) const {
  list.add(fmt::format(wait_text, plan_.products_done(), 0));
  list.add(fence_after);
  for (unsigned first = 0; first < plan_.tile_filters;) {
    const unsigned count = columns_at(first, plan_.tile_filters);
    list.add(fmt::format("tcgen05.ld.sync.aligned.32x32b.x{}.b32 {}, [{:#x}]", count,
                         register_list(convolution_plan::first_register, count),
                         isa::encode(isa::tensor_address{place.warp * isa::chunk_lanes, first})));
    list.add("tcgen05.wait::ld.sync.aligned");
    add_stores(list, place, first, count);
    first += count;
  }
  list.add(fence_before);
  list.add(fmt::format("{} 0x0", isa::info(plan_.arch).cta_barrier));
}

/// The sums of neighbouring filters side by side. Lanes without an output pixel are predicated off, and columns behind the last filter.
void convolution_program::add_stores(warp_listing& list, warp_place place, unsigned first_column, unsigned count) const {
  const unsigned filters = plan_.problem.filters, width = filters % 4 == 0 ? 4 : filters % 2 == 0 ? 2 : 1;
  const pixel_sequence& sequence = plan_.sequence_of(place.cta_x);
  const std::uint64_t first_lane = plan_.first_position(place.cta_x) + place.warp * isa::chunk_lanes;
  for (unsigned i = 0; i < count && first_column + i < filters; i += width) {
    const unsigned filter = place.cta_y * plan_.tile_filters + first_column + i,
                   offset = (first_column + i) * convolution_problem::result_bytes;
    std::uint32_t mask = 0;
    std::vector<std::uint64_t> addresses;
    for (unsigned lane = 0; lane < trace::warp_lanes; ++lane) {
      const std::int64_t pixel = sequence.output_pixel(first_lane + lane, plan_.problem.output_width());
      if (pixel < 0 || filter >= filters) continue;
      mask |= 1U << lane;
      addresses.push_back(plan_.output + (static_cast<std::uint64_t>(pixel) * filters + filter) * convolution_problem::result_bytes);
    }
    list.add_access(fmt::format("@P0 STG.E{} {}, R{}", width_suffix(width * convolution_problem::result_bytes),
                                global_reference(plan_.arch, pointer, offset), convolution_plan::first_register + i),
                    mask, addresses);
  }
}

}  // namespace tc::kernels
