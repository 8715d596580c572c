// SPDX-License-Identifier: Apache-2.0
#include "convolution_steps.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <tc/isa/tcgen05/tensor_address.hpp>
#include <tc/kernels/shift_window.hpp>

#include "text_table.hpp"

namespace tcsim {

namespace {

namespace kernels = tc::kernels;

/// Describes one step after the other.
class step_text {
 public:
  step_text(const kernels::convolution_plan& plan, unsigned tile, unsigned lanes)
      : sequence_(plan.sequence_of(tile)),
        window_(sequence_, plan.first_position(tile)),
        lanes_(lanes),
        chunk_lanes_(std::min(lanes, tc::isa::chunk_lanes)) {}

  void add(text_table& table, unsigned step) const {
    const std::string refilled = step == 0 ? fmt::format("all {} lanes", lanes_) : refills(step);
    table.add({fmt::format("s = {}", step), "new", refilled});
    table.add({"", fmt::format("lanes 0..{} hold", lanes_ - 1), pixels(step)});
    const std::vector<unsigned> off = disabled(step);
    table.add({"", "disabled lanes", off.empty() ? "none" : fmt::format("{} ({})", fmt::join(off, ", "), off.size())});
    table.add({"", "disable-output-lane", words(off)});
  }

 private:
  std::string pixel(std::int64_t position) const {
    return is_padding(position) ? "padding" : fmt::format("row {} w {}", row(position), column(position));
  }

  bool is_padding(std::int64_t position) const {
    return position < 0 || row(position) >= sequence_.rows || !sequence_.w.is_inside(column(position));
  }
  std::int64_t row(std::int64_t position) const { return position / sequence_.pitch; }
  std::int64_t column(std::int64_t position) const { return sequence_.pixel(position, 0, 0).w; }

  /// Runs of lanes with pixels of one row, or with padding.
  std::string pixels(unsigned step) const {
    std::vector<std::string> runs;
    for (unsigned lane = 0; lane < lanes_;) {
      const std::int64_t first = window_.position(lane, step);
      std::int64_t last = first;
      for (++lane; lane < lanes_; ++lane, ++last) {
        const bool continues = is_padding(first) ? is_padding(last + 1) : !is_padding(last + 1) && row(last + 1) == row(first);
        if (!continues) break;
      }
      if (is_padding(first))
        runs.push_back(first == last ? "padding" : fmt::format("padding x {}", last - first + 1));
      else
        runs.push_back(pixel(first) + (first == last ? "" : fmt::format("..{}", column(last))));
    }
    return fmt::format("{}", fmt::join(runs, "; "));
  }

  std::string refills(unsigned step) const {
    std::vector<std::string> texts;
    for (unsigned lane = chunk_lanes_ - 1; lane < lanes_; lane += chunk_lanes_) {
      const std::int64_t position = window_.position(lane, step);
      texts.push_back(fmt::format("lane {} x {} ({})", lane, position, pixel(position)));
    }
    return fmt::format("{}", fmt::join(texts, ", "));
  }

  std::vector<unsigned> disabled(unsigned step) const {
    std::vector<unsigned> list;
    for (unsigned lane = 0; lane < lanes_; ++lane)
      if (!window_.has_tap(lane, step)) list.push_back(lane);
    return list;
  }

  std::string words(const std::vector<unsigned>& off) const {
    constexpr unsigned bits = 32;
    std::vector<std::uint32_t> list((lanes_ + bits - 1) / bits);
    for (const unsigned lane : off) list[lane / bits] |= 1U << lane % bits;
    return fmt::format("{{{:#010x}}}", fmt::join(list, ", "));
  }

  const kernels::pixel_sequence& sequence_;
  kernels::shift_window window_;
  unsigned lanes_, chunk_lanes_;
};

}  // namespace

std::string steps_text(const kernels::convolution_plan& plan, unsigned tile, unsigned lanes) {
  const kernels::pixel_sequence& sequence = plan.sequence_of(tile);
  std::string text = fmt::format(
      "Tile {} of {}: lane 0 is position {} of the rows of output pixels (row = n P + p), which are {} positions apart.\n"
      "x = {} row + position of w is the flat index of an input pixel. The same for each row of the filter and each {} channels.\n\n",
      tile, plan.position_tiles(), plan.first_position(tile), sequence.pitch, sequence.pitch, kernels::convolution_plan::step_channels);
  text_table table({text_table::align::left, text_table::align::left, text_table::align::left});
  const step_text steps(plan, tile, lanes);
  for (unsigned step = 0; step < plan.steps; ++step) steps.add(table, step);
  return text + table.text();
}

}  // namespace tcsim
