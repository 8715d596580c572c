// SPDX-License-Identifier: Apache-2.0
#include "convolution_plan.hpp"

#include <algorithm>

#include <fmt/format.h>

#include <tc/isa/opcode.hpp>
#include <tc/kernels/convolution_problem.hpp>
#include <tc/kernels/swizzled_rows.hpp>

namespace tc::kernels {
namespace {

constexpr unsigned most_filters = 256, filter_unit = 16;  // columns of an instruction with 128 rows
constexpr unsigned most_stages = 4;
constexpr std::uint64_t memory_alignment = 256;  // bytes, as cudaMalloc

constexpr std::uint64_t round_up(std::uint64_t value, std::uint64_t unit) { return (value + unit - 1) / unit * unit; }
constexpr unsigned parts(std::uint64_t whole, unsigned part) { return static_cast<unsigned>((whole + part - 1) / part); }

void check_machine(const convolution_options& options, isa::architecture arch, const config::machine& machine) {
  if (!has_convolution(arch, machine))
    throw convolution_error(fmt::format("{} has no tensor memory of {} columns for {}: sm_100 has it, where sm.tensor_memory.columns is {}",
                                        machine.name, convolution_plan::columns, isa::name(arch), convolution_plan::columns));
  if (options.shift_with_product && options.method != convolution_method::shift)
    throw convolution_error("tcgen05.mma.ashift moves the pixels of the shift method; the im2col method moves none");
}

/// The most channels of which a row of shared memory holds whole blocks, so that nothing is copied that is not multiplied.
unsigned choose_block(unsigned channels) {
  unsigned block = convolution_plan::row_bytes / convolution_problem::element_bytes;
  while (channels % block != 0) block -= convolution_plan::step_channels;
  return block;
}

void choose_tiles(convolution_plan& plan) {
  const convolution_problem& problem = plan.problem;
  plan.block_channels = choose_block(problem.padded_channels());
  plan.filter_tiles = parts(problem.filters, most_filters);
  plan.tile_filters = static_cast<unsigned>(round_up(parts(problem.filters, plan.filter_tiles), filter_unit));
  plan.first_tiles = {0};
  for (const pixel_sequence& sequence : plan.sequences) {
    plan.first_tiles.push_back(plan.first_tiles.back() + parts(sequence.positions(), convolution_plan::tile_positions));
    // Then the first taps of some outputs are outside the image.
    plan.clears = plan.clears || sequence.padding > 0 || sequence.outputs > sequence.columns;
  }
}

/// As many stages as there is room and work for, of both kinds the one that takes more given up first.
void choose_stages(convolution_plan& plan, const config::machine& machine) {
  plan.shared_base = round_up(isa::info(plan.arch).reserved_shared_bytes, swizzle_alignment);
  const unsigned most = plan.options.stages == 0 ? most_stages : plan.options.stages;
  if (most > most_stages) throw convolution_error(fmt::format("{} stages; up to {} are possible", most, most_stages));
  plan.window_stages = std::min(most, plan.windows());
  plan.filter_stages = std::min(most, plan.windows() * plan.steps);
  const std::uint64_t there_is = machine.sm.shared_memory.bytes;
  const auto bytes = [&plan] { return plan.allocation() + std::uint64_t{convolution_plan::barrier_bytes}; };
  while (bytes() > there_is && plan.options.stages == 0 && plan.window_stages + plan.filter_stages > 2) {
    const bool gives_window = plan.window_bytes() * (plan.window_stages - 1) > plan.filter_bytes() * (plan.filter_stages - 1);
    --(gives_window ? plan.window_stages : plan.filter_stages);
  }
  plan.shared_bytes = bytes();
  if (plan.shared_bytes > there_is)
    throw convolution_error(
        fmt::format("{} windows of {} bytes and {} tiles of filters of {} bytes take {} bytes of shared memory; an SM has "
                    "{}: use fewer stages, or narrower filters",
                    plan.window_stages, plan.window_bytes(), plan.filter_stages, plan.filter_bytes(), plan.shared_bytes, there_is));
}

/// Whether a CTA's part is short enough to be listed, and there are few enough sequences of pixels for a map or more of each.
void check_size(const convolution_problem& problem, const convolution_options& options) {
  const std::uint64_t depth = std::uint64_t{problem.filter.height} * problem.filter.width * problem.padded_channels();
  if (depth > convolution_plan::max_depth)
    throw convolution_error(fmt::format("an output is a sum of {} products, the taps of a filter by its channels; up to {} are possible",
                                        depth, convolution_plan::max_depth));
  const bool has_sequences = options.method == convolution_method::shift && problem.filter.width > 1;
  const unsigned sequences = has_sequences ? std::min(problem.dilation.width, problem.output_width()) : 1;
  if (sequences > convolution_plan::max_pixel_maps)
    throw convolution_error(fmt::format("a dilation of {} makes {} sequences of pixels, and tensor maps for each; up to {} are possible",
                                        problem.dilation.width, sequences, convolution_plan::max_pixel_maps));
}

/// A map for each sequence and remainders of a tap.
void choose_maps(convolution_plan& plan) {
  for (const pixel_sequence& sequence : plan.sequences)
    for (unsigned r = 0; r < plan.problem.filter.height; ++r)
      for (unsigned s = 0; s < plan.problem.filter.width; s += plan.steps)
        if (plan.map_of(sequence, r, s) == plan.pixel_maps.size())
          plan.pixel_maps.push_back({static_cast<std::size_t>(&sequence - plan.sequences.data()), sequence.h.tap_at(r).remainder,
                                     sequence.w.tap_at(s).remainder});
  if (plan.pixel_maps.size() > convolution_plan::max_pixel_maps)
    throw convolution_error(
        fmt::format("the pixels need {} tensor maps; up to {} are possible", plan.pixel_maps.size(), convolution_plan::max_pixel_maps));
}

void place_tensors(convolution_plan& plan) {
  plan.maps = plan.options.memory_base;
  plan.input = round_up(plan.filter_map() + convolution_plan::map_bytes, memory_alignment);
  plan.filters = round_up(plan.input + plan.problem.input_bytes(), memory_alignment);
  plan.output = round_up(plan.filters + plan.problem.filter_bytes(), memory_alignment);
}

}  // namespace

std::string_view name(convolution_method method) { return method == convolution_method::im2col ? "im2col" : "shift"; }

convolution_plan::window convolution_plan::window_at(unsigned index) const {
  const unsigned tap = index / channel_blocks() * steps, width = problem.filter.width;
  return {tap / width, tap % width, index % channel_blocks() * block_channels};
}

const pixel_sequence& convolution_plan::sequence_of(unsigned tile) const {
  const auto behind = std::upper_bound(first_tiles.begin(), first_tiles.end(), tile);
  return sequences.at(static_cast<std::size_t>(behind - first_tiles.begin()) - 1);
}

std::uint64_t convolution_plan::first_position(unsigned tile) const {
  const auto behind = std::upper_bound(first_tiles.begin(), first_tiles.end(), tile);
  return std::uint64_t{tile - *(behind - 1)} * tile_positions;
}

std::size_t convolution_plan::map_of(const pixel_sequence& sequence, unsigned r, unsigned s) const {
  const auto number = static_cast<std::size_t>(&sequence - sequences.data());
  const unsigned h = sequence.h.tap_at(r).remainder, w = sequence.w.tap_at(s).remainder;
  const auto found = std::find_if(pixel_maps.begin(), pixel_maps.end(), [&](const pixel_map& map) {
    return map.sequence == number && map.remainder_h == h && map.remainder_w == w;
  });
  return static_cast<std::size_t>(found - pixel_maps.begin());
}

bool has_convolution(isa::architecture arch, const config::machine& machine) {
  return machine.sm.tensor_memory.columns >= convolution_plan::columns && isa::info(arch).tensor_memory;
}

convolution_plan make_convolution_plan(const convolution_problem& problem, const convolution_options& options, isa::architecture arch,
                                       const config::machine& machine) {
  check_machine(options, arch, machine);
  check_problem(problem);
  check_size(problem, options);
  convolution_plan plan{problem, arch, options};
  if (options.method == convolution_method::shift) {
    plan.sequences = shift_sequences(problem);
    plan.steps = problem.filter.width;
  } else {
    plan.sequences = {im2col_sequence(problem)};
  }
  choose_tiles(plan);
  choose_maps(plan);
  choose_stages(plan, machine);
  place_tensors(plan);
  return plan;
}

}  // namespace tc::kernels
