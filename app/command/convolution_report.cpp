// SPDX-License-Identifier: Apache-2.0
#include "convolution_report.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <tc/accounting/statistic_sum.hpp>
#include <tc/isa/tcgen05/tensor_address.hpp>
#include <tc/kernels/shift_window.hpp>

#include "run_report.hpp"
#include "text_table.hpp"

namespace tcsim {

namespace {

using tc::kernels::convolution_traffic;
using traffic_count = std::uint64_t convolution_traffic::*;

struct traffic_row {
  const char* title;
  traffic_count value;
};

constexpr traffic_row instruction_rows[] = {
    {"CTAs", &convolution_traffic::ctas},
    {"tcgen05.mma", &convolution_traffic::products},
    {"tcgen05.cp.128x256b", &convolution_traffic::window_copies},
    {"tcgen05.cp.4x256b", &convolution_traffic::refills},
    {"tcgen05.shift", &convolution_traffic::shifts},
    {"tcgen05.commit", &convolution_traffic::commits},
    {"bulk tensor copies", &convolution_traffic::bulk_copies},
};
constexpr traffic_row byte_rows[] = {
    {"activations: global to shared memory", &convolution_traffic::global_activations},
    {"activations: shared to tensor memory", &convolution_traffic::shared_activations},
    {"  of them padding", &convolution_traffic::shared_padding},
    {"activations: read in tensor memory", &convolution_traffic::tensor_activations},
    {"filters: global to shared memory", &convolution_traffic::global_filters},
    {"filters: read in shared memory", &convolution_traffic::shared_filters},
    {"sums: read in tensor memory", &convolution_traffic::tensor_sums_read},
    {"sums: written in tensor memory", &convolution_traffic::tensor_sums_written},
};

/// A counter of units of the machine, and what of the kernels' instructions it counts; nothing: it should be 0.
struct counter_row {
  const char* title;
  const char* object;
  const char* statistic;
  std::uint64_t unit;  ///< of the counter
  traffic_count instructions;
};

constexpr std::uint64_t core_matrix_bytes = 128;
constexpr counter_row counter_rows[] = {
    {"products", "tensor_engine.matrices", "instructions", 1, &convolution_traffic::products},
    {"shifts, those of products too", "tensor_memory", "shifts", 1, &convolution_traffic::refills},
    {"commits", "tensor_engine", "commits", 1, &convolution_traffic::commits},
    {"bulk copies", "bulk_copy", "copies", 1, &convolution_traffic::bulk_copies},
    {"bytes read by tcgen05.cp", "tensor_engine.copies", "bytes_read", 1, &convolution_traffic::shared_activations},
    {"bytes of filters read by products", "tensor_engine.matrices", "core_matrices", core_matrix_bytes,
     &convolution_traffic::shared_filters},
    {"hazards", "tensor_engine", "hazards", 1, nullptr},
};

std::string verdict_of(const convolution_figures& column) {
  if (!column.is_checked) return "not compared";
  return product_verdict(column.mismatches, column.undefined, column.wrong_addresses);
}

double ratio(std::uint64_t part, std::uint64_t whole) { return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole); }

/// A row of numbers, and the ratio of the last to the first one.
template <class Value>
void add_numbers(text_table& table, const char* title, const std::vector<convolution_figures>& figures, Value value) {
  std::vector<std::string> cells{title};
  for (const convolution_figures& column : figures) cells.push_back(fmt::format("{}", value(column)));
  const std::uint64_t first = value(figures.front()), last = value(figures.back());
  if (figures.size() > 1) cells.push_back(first == 0 ? "" : fmt::format("{:.4f}", ratio(last, first)));
  table.add(std::move(cells));
}

/// A row without numbers.
void add_texts(text_table& table, std::vector<std::string> cells, std::size_t columns) {
  cells.resize(columns);
  table.add(std::move(cells));
}

std::string share_percent(double share) { return fmt::format("{:.1f} %", 100 * share); }

}  // namespace

std::string table_of(const std::vector<convolution_figures>& figures) {
  const std::size_t columns = figures.size() + (figures.size() > 1 ? 2 : 1);
  std::vector<text_table::align> alignment(columns, text_table::align::right);
  alignment.front() = text_table::align::left;
  text_table table(alignment);
  std::vector<std::string> titles{"METHOD"}, verdicts{"result"};
  for (const convolution_figures& column : figures) {
    titles.push_back(column.title);
    verdicts.push_back(verdict_of(column));
  }
  if (figures.size() > 1) titles.push_back(fmt::format("{} / {}", figures.back().title, figures.front().title));
  add_texts(table, titles, columns);
  add_texts(table, verdicts, columns);
  add_numbers(table, "cycles", figures, [](const convolution_figures& column) { return column.cycles; });
  const auto add_rows = [&](const auto& rows) {
    for (const traffic_row& row : rows)
      add_numbers(table, row.title, figures, [&row](const convolution_figures& column) { return column.traffic.*row.value; });
  };
  add_rows(instruction_rows);
  add_texts(table, {"BYTES"}, columns);
  add_rows(byte_rows);
  return table.text();
}

std::string counters_text(const std::vector<convolution_figures>& figures) {
  text_table table({text_table::align::left, text_table::align::right, text_table::align::right});
  table.add({"COUNTED IN THE RUN", "by units", "by instructions"});
  for (const counter_row& row : counter_rows) {
    std::uint64_t planned = 0;
    for (const convolution_figures& column : figures) planned += row.instructions == nullptr ? 0 : column.traffic.*row.instructions;
    const std::uint64_t counted = row.unit * tc::accounting::statistic_sum(row.object, row.statistic).sum();
    table.add({row.title, fmt::format("{}", counted), fmt::format("{}", planned)});
  }
  return table.text();
}

std::string ratio_text(const convolution_kernel& im2col, const convolution_kernel& shift) {
  const convolution_traffic each = traffic_of(im2col.plan()), moved = traffic_of(shift.plan());
  const unsigned steps = shift.plan().steps;
  const double all = ratio(moved.shared_activations, each.shared_activations);
  const double refills = 1 + ratio(std::uint64_t{steps - 1} * tc::isa::tensor_chunks, tc::isa::tensor_lanes);
  return fmt::format(
      "Activations read from shared memory, shift / im2col: {:.4f} = 1/{} x {:.4f} (refilled lanes) x {:.4f} (lanes without an output).\n"
      "Padding is {} of them with im2col, {} with shift; {} of the lanes of shift's products are disabled.\n",
      all, steps, refills, ratio(moved.ctas, each.ctas), share_percent(ratio(each.shared_padding, each.shared_activations)),
      share_percent(ratio(moved.shared_padding, moved.shared_activations)),
      share_percent(ratio(moved.disabled_lanes, moved.products * tc::isa::tensor_lanes)));
}

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
