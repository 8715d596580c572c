// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include <tc/config/machine.hpp>
#include <tc/isa/architecture.hpp>
#include <tc/isa/tcgen05/tensor_address.hpp>
#include <tc/kernels/convolution_problem.hpp>
#include <tc/kernels/pixel_sequence.hpp>

namespace tc::kernels {

/// How the pixels of the taps come to the lanes of tensor memory (P. Luo's notes on the Blackwell tensor core).
enum class convolution_method : std::uint8_t {
  im2col,  ///< each tap's pixels by themselves (the notes' algorithm 2)
  shift,   ///< those of a row's first tap; for the other taps of the row, the lanes' pixels move on by one
};

/// "im2col" or "shift".
std::string_view name(convolution_method method);

struct convolution_options {
  convolution_method method = convolution_method::im2col;
  bool shift_with_product = false;  ///< tcgen05.mma.ashift moves the pixels on, instead of tcgen05.shift; of the shift method
  unsigned stages = 0;              ///< most windows, and most tiles of filters, in shared memory; 0: as many as there is room for, up to 4
  std::uint64_t memory_base = 1 << 20;  ///< address of the tensor maps in global memory; input, filters and output follow
};

/// A kernel for a convolution on tensor memory, checked against a machine: everything that its code and its trace follow from. A CTA of
/// four warps computes 128 positions, a lane of tensor memory each, and up to 256 filters, a column each.
///
/// A window is 128 pixels of up to 64 channels: rows of 128 bytes with the 128-byte swizzle, from which K-steps of 32 bytes are copied to
/// eight columns each. Behind it are the pixels that the shift method refills, four rows for each step. A window has one step, or in the
/// shift method one for each tap in a row of the filter; a step multiplies it with a tile of the filters' elements of that tap.
struct convolution_plan {
  static constexpr unsigned tile_positions = isa::tensor_lanes, warps = isa::tensor_chunks;
  static constexpr unsigned row_bytes = 128;  ///< of shared memory
  static constexpr unsigned step_bytes = 32;  ///< of them that an instruction multiplies
  static constexpr unsigned step_channels = step_bytes / convolution_problem::element_bytes;
  static constexpr unsigned step_columns = step_bytes / 4;  ///< of tensor memory
  static constexpr unsigned refill_bytes = 1024;            ///< between groups of refilled rows: a period of the swizzle
  static constexpr unsigned barrier_bytes = 8;
  /// Taps by channels of a filter, and tensor maps of pixels: more are refused, as kernels are listed as a whole.
  static constexpr std::uint64_t max_depth = std::uint64_t{1} << 20;
  static constexpr unsigned max_pixel_maps = 1024;
  static constexpr unsigned columns = 512;  ///< that a CTA allocates: all, so that it has column 0
  static constexpr unsigned first_a_column = 256;
  static constexpr unsigned first_register = 16, registers_at_once = 32;  ///< of the results on their way to global memory
  static constexpr unsigned registers = first_register + registers_at_once;

  /// A part of the sum: pixels of a tap, the first of `steps`, and channels.
  struct window {
    unsigned r = 0, s = 0, channel = 0;
  };

  convolution_problem problem;
  isa::architecture arch;
  convolution_options options;  ///< with nothing left to choose

  std::vector<pixel_sequence> sequences{};  ///< one, or those of the shift method
  std::vector<unsigned> first_tiles{};      ///< of each sequence in the grid, and behind the last
  unsigned steps = 1;                       ///< of a window
  unsigned block_channels = 0;              ///< of a window
  unsigned tile_filters = 0;                ///< columns of D, those behind the last filter included
  unsigned filter_tiles = 0;
  bool clears = false;  ///< D must be zero before the first product, which does not write every lane
  unsigned window_stages = 0, filter_stages = 0;

  std::uint64_t shared_base = 0, shared_bytes = 0;
  std::uint64_t maps = 0, input = 0, filters = 0, output = 0;  ///< addresses in global memory

  unsigned position_tiles() const { return first_tiles.back(); }
  unsigned channel_blocks() const { return problem.padded_channels() / block_channels; }
  unsigned block_steps() const { return block_channels / step_channels; }  ///< K-steps of a window
  unsigned windows() const { return problem.filter.height * problem.filter.width / steps * channel_blocks(); }
  /// In the order of the sum: by rows of the filter, taps, and blocks of channels.
  window window_at(unsigned index) const;
  /// The sequence that a tile belongs to, and its first position there.
  const pixel_sequence& sequence_of(unsigned tile) const;
  std::uint64_t first_position(unsigned tile) const;

  /// A tensor map of pixels with the same remainders, once for windows and once for refilled pixels.
  struct pixel_map {
    std::size_t sequence = 0;
    unsigned remainder_h = 0, remainder_w = 0;
  };
  std::vector<pixel_map> pixel_maps{};  ///< all that the taps need
  /// The map of a tap; of the shift method, s is 0.
  std::size_t map_of(const pixel_sequence& sequence, unsigned r, unsigned s) const;

  static constexpr unsigned map_bytes = 128;  ///< CUtensorMap
  std::uint64_t window_map(std::size_t index) const { return maps + 2 * map_bytes * index; }
  std::uint64_t refill_map(std::size_t index) const { return window_map(index) + map_bytes; }
  std::uint64_t filter_map() const { return window_map(pixel_maps.size()); }
  std::uint64_t memory_end() const { return output + problem.output_bytes(); }

  // Addresses in the CTA's window of shared memory: the stages of windows, those of filters, mbarriers, the result of the allocation.
  unsigned window_rows_bytes() const { return tile_positions * row_bytes; }
  unsigned window_bytes() const { return window_rows_bytes() + (steps - 1) * refill_bytes; }
  unsigned filter_bytes() const { return tile_filters * row_bytes; }
  std::uint32_t window_address(unsigned stage) const { return static_cast<std::uint32_t>(shared_base) + stage * window_bytes(); }
  std::uint32_t refill_address(unsigned stage, unsigned step) const {
    return window_address(stage) + window_rows_bytes() + (step - 1) * refill_bytes;
  }
  std::uint32_t filter_address(unsigned stage) const { return window_address(window_stages) + stage * filter_bytes(); }
  std::uint32_t window_full(unsigned stage) const { return filter_address(filter_stages) + barrier_bytes * stage; }
  std::uint32_t window_free(unsigned stage) const { return window_full(window_stages) + barrier_bytes * stage; }
  std::uint32_t filter_full(unsigned stage) const { return window_free(window_stages) + barrier_bytes * stage; }
  std::uint32_t filter_free(unsigned stage) const { return filter_full(filter_stages) + barrier_bytes * stage; }
  std::uint32_t products_done() const { return filter_free(filter_stages); }
  std::uint32_t pixels_moved() const { return products_done() + barrier_bytes; }
  std::uint32_t allocation() const { return pixels_moved() + barrier_bytes; }

  /// First of the eight columns of a K-step of a window.
  unsigned a_column(unsigned stage, unsigned k_step) const {
    return first_a_column + (stage * row_bytes / step_bytes + k_step) * step_columns;
  }
};

/// Whether a machine has tensor memory for such kernels, in code for this architecture.
bool has_convolution(isa::architecture arch, const config::machine& machine);

/// Chooses what the options leave open. Throws convolution_error if the problem is none, the method cannot compute it, or the machine has
/// no tensor memory or not enough shared memory.
convolution_plan make_convolution_plan(const convolution_problem& problem, const convolution_options& options, isa::architecture arch,
                                       const config::machine& machine);

}  // namespace tc::kernels
